package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.SideFacts;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Damages each member of each file of a record. The types are found: records that have a file's name and a reader. */
class DamagedRecordsTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String MARK = "member that is damaged";

    @TempDir
    private Path directory;

    /** Returns all records of this room. */
    private static List<Class<?>> records() throws Exception {
        Path classes = Path.of(RunRecord.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<Class<?>> records = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes.resolve("org/lagbench"))) {
            for (Path file : files.sorted().toList()) {
                String name = classes.relativize(file).toString().replace('/', '.');
                if (name.endsWith(".class")) {
                    Class<?> type = Class.forName(
                            name.substring(0, name.length() - ".class".length()),
                            false,
                            RunRecord.class.getClassLoader());
                    records.addAll(type.isRecord() ? List.of(type) : List.of());
                }
            }
        }
        return records;
    }

    /** A type of records with a separate file, such as {@code run.json}. */
    private record Kind(Class<?> type, Method reader, String file) {
        static List<Kind> all() throws Exception {
            List<Kind> kinds = new ArrayList<>();
            for (Class<?> type : records()) {
                for (Method method : type.getMethods()) {
                    if (method.getReturnType() == type
                            && Arrays.equals(method.getParameterTypes(), new Class<?>[] {Path.class})) {
                        kinds.add(new Kind(type, method, (String)
                                type.getField("FILE_NAME").get(null)));
                    }
                }
            }
            return kinds;
        }

        @Override
        public String toString() {
            return file;
        }
    }

    /** A member in the sample of a type, with the object that has it. */
    private record Member(RecordComponent component, ObjectNode parent, String path) {
        String name() {
            return component.getName();
        }
    }

    static List<Kind> kinds() throws Exception {
        List<Kind> kinds = Kind.all();
        assertThat(kinds).extracting(Kind::file).contains("run.json", "session.json");
        return kinds;
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void namesFileMemberAndValueOfDamage(Kind kind) throws Exception {
        ObjectNode sample = sample(kind);
        List<Member> members = new ArrayList<>();
        Set<String> found = new TreeSet<>();
        addMembers(kind.type, sample, "", members, found);
        assertThat(found).as("members that the sample has").containsAll(declared(kind.type, new TreeSet<>()));
        read(kind, sample.toString());

        for (Member member : members) {
            JsonNode value = member.parent.get(member.name());
            member.parent.set(MARK, value);
            String twice = sample.toString().replace(MARK, member.name());
            member.parent.remove(MARK);
            assertThat(refusal(kind, twice)).contains(member.path + ": it is there twice, as " + quote(value));
            for (String damaged : damages(member.component)) {
                member.parent.put(member.name(), MARK);
                String text = sample.toString().replace("\"" + MARK + "\"", damaged);
                assertThat(refusal(kind, text)).as(text).contains(member.path, damaged.replace("[null]", "null"));
            }
            for (String doubtful : List.of("-1", "9223372036854775807", "-9223372036854775808", "\"\"", "\"x y\"")) {
                member.parent.put(member.name(), MARK);
                String text = sample.toString().replace("\"" + MARK + "\"", doubtful);
                if (read(kind, text) instanceof LagbenchException refused) {
                    assertThat(refused.sentence()).as(text).contains(doubtful.replace("\"", ""));
                    check(kind, refused);
                }
            }
            member.parent.remove(member.name());
            if (read(kind, sample.toString()) instanceof LagbenchException refused) {
                check(kind, refused); // or the member's default contradicts the others
            }
            member.parent.set(member.name(), value);
        }
    }

    static Stream<Class<?>> entries() {
        return Stream.of(SideFacts.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @MethodSource("entries")
    void namesEntryOfMetadataAndItsValue(Class<? extends Record> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = component.getName();
            for (String damaged : damages(component)) {
                if (!damaged.matches("null|.*e400")) { // which is refused before
                    Object value = JSON.convertValue(JSON.readTree(damaged), Object.class);
                    assertThatThrownBy(() -> SideFacts.check(Map.of("other", 7, name, value), "sender.metadata"))
                            .as(damaged)
                            .hasMessageStartingWith("sender.metadata." + name)
                            .hasMessageContaining(damaged);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void saysWhereFileIsNotJson(Kind kind) throws Exception {
        String whole = sample(kind).toPrettyString();
        assertThat(refusal(kind, "")).contains("there is nothing in it");
        assertThat(refusal(kind, "{}")).contains("format: it is missing");
        assertThat(refusal(kind, "[]")).contains("format: it is missing");
        assertThat(refusal(kind, whole.replaceFirst("lagbench-[a-z]+-\\d", "lagbench-7")))
                .contains("format: \"lagbench-7\" is not \"lagbench-");
        assertThat(refusal(kind, whole.substring(0, whole.length() - 2))).contains(": this is not JSON");
        assertThat(refusal(kind, whole.replaceFirst("\"lagbench", "lagbench"))).contains("line 2, column ");
        assertThat(refusal(kind, whole + "1")).contains(": this is not JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400", "123456789e999"})
    void namesNumberBeyondDouble(String number) {
        byte[] json = ("{\"a\": [1, {\"b\": " + number + "}]}").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> StrictJson.parse(json)).hasMessage("a[1].b: " + number + " is too large");
    }

    @Test
    void namesElementThatSetHasTwice() {
        record Units(Set<String> units) {}
        assertThatThrownBy(() -> StrictJson.read("{\"units\": [\"s\", \"ms\", \"s\"]}", Units.class))
                .hasMessage("units[2]: \"s\" is there twice");
    }

    private static ObjectNode sample(Kind kind) throws Exception {
        return (ObjectNode) JSON.readTree(Path.of("src/test/resources/org/lagbench/core/run/complete", kind.file)
                .toFile());
    }

    /** Adds the members of a record, and those of the records in it. */
    private static void addMembers(
            Class<?> type, ObjectNode node, String path, List<Member> members, Set<String> found) {
        for (RecordComponent component : type.getRecordComponents()) {
            JsonNode value = node.get(component.getName());
            String where = path.isEmpty() ? component.getName() : path + "." + component.getName();
            if (value == null || value.isNull()) {
                continue;
            }
            found.add(type.getSimpleName() + "." + component.getName());
            members.add(new Member(component, node, where));
            if (element(component.getAnnotatedType()) instanceof Class<?> part && isPlainRecord(part)) {
                for (Map.Entry<String, ObjectNode> one :
                        objects(component, value, where).entrySet()) {
                    addMembers(part, one.getValue(), one.getKey(), members, found);
                }
            }
        }
    }

    private static Map<String, ObjectNode> objects(RecordComponent component, JsonNode value, String path) {
        Map<String, ObjectNode> objects = new LinkedHashMap<>();
        if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                objects.put(path + "[" + i + "]", (ObjectNode) array.get(i));
            }
        } else if (Map.class.isAssignableFrom(component.getType())) {
            value.properties()
                    .forEach(entry -> objects.put(path + "." + entry.getKey(), (ObjectNode) entry.getValue()));
        } else {
            objects.put(path, (ObjectNode) value);
        }
        return objects;
    }

    /** Returns all members of a record and of the records in it. */
    private static Set<String> declared(Class<?> type, Set<String> declared) {
        for (RecordComponent component : type.getRecordComponents()) {
            declared.add(type.getSimpleName() + "." + component.getName());
            if (element(component.getAnnotatedType()) instanceof Class<?> part && isPlainRecord(part)) {
                declared(part, declared);
            }
        }
        return declared;
    }

    /** Returns the type of the elements of a list, set or map, or the type itself. */
    private static Object element(AnnotatedType type) {
        if (type instanceof AnnotatedParameterizedType parameterized) {
            AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
            return element(arguments[arguments.length - 1]);
        }
        return type.getType();
    }

    /** Returns whether JSON has a record as its members, not as a simpler value. */
    private static boolean isPlainRecord(Class<?> type) {
        return type.isRecord()
                && Arrays.stream(type.getDeclaredMethods())
                        .noneMatch(method -> method.isAnnotationPresent(JsonCreator.class));
    }

    /** Returns values that a member cannot have, as JSON. */
    private static List<String> damages(RecordComponent component) {
        Class<?> type = component.getType();
        List<String> damages = new ArrayList<>();
        if (type == Object.class) {
            return List.of("1e400");
        }
        if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            damages.add("null");
        }
        if (type == boolean.class) {
            damages.addAll(List.of("17", "\"true\""));
        } else if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            damages.addAll(List.of("\"1\"", "true", "[1]", "1e400", "1.0E300"));
            if (type != double.class && type != Double.class) {
                damages.addAll(List.of("9223372036854775808", "0.5"));
            }
        } else if (Map.class.isAssignableFrom(type) || isPlainRecord(type)) {
            damages.addAll(List.of("17", "\"no such value\"", "[]"));
        } else if (List.class.isAssignableFrom(type) || Set.class.isAssignableFrom(type)) {
            damages.addAll(List.of("17", "\"no such value\"", "{}", "[null]"));
        } else {
            damages.add("17");
        }
        if (type.isEnum() || List.of(Duration.class, Instant.class, UUID.class).contains(type)) {
            damages.addAll(List.of("\"no such value\"", "\"\"", "\"0\""));
        }
        Within range = component.getAnnotation(Within.class);
        if (range != null && (type.isPrimitive() || type == Long.class)) {
            damages.add(String.valueOf(range.min() - 1));
            if (range.max() < Long.MAX_VALUE) {
                damages.add(String.valueOf(range.max() + 1));
            }
        }
        return damages;
    }

    private static String quote(JsonNode value) {
        String text = value.toString();
        return text.substring(0, Math.min(text.length(), 30));
    }

    /** Reads the file with a text; returns the record or the failure. */
    private Object read(Kind kind, String text) throws Exception {
        Files.writeString(directory.resolve(kind.file), text);
        try {
            return kind.reader.invoke(null, directory);
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    private String refusal(Kind kind, String text) throws Exception {
        assertThat(read(kind, text)).as(text).isInstanceOf(LagbenchException.class);
        LagbenchException refused = (LagbenchException) read(kind, text);
        check(kind, refused);
        return refused.sentence();
    }

    private void check(Kind kind, LagbenchException refused) {
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FILES);
        assertThat(refused.sentence())
                .startsWith(directory.resolve(kind.file) + ": ")
                .endsWith(". Restore the file from a copy.")
                .doesNotContain("java.", "jackson", "lagbench.core", "..");
    }
}
