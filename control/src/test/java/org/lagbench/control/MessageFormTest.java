package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.io.InputStream;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/**
 * Two lagbench versions with the same protocol number understand each other, so the form of the messages belongs to the
 * number.
 */
class MessageFormTest {
    private static final JsonMapper JSON = new JsonMapper();

    @Test
    void requiresNewVersionForChangedMessages() throws Exception {
        String kept;
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream("messages.txt"))) {
            kept = new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(form())
                .as("where a message has changed, raise ControlMessage.PROTOCOL and bring messages.txt up to date")
                .isEqualTo(kept);
    }

    @Test
    void isDocumented() throws Exception {
        assertThat(Path.of("../docs/reference/versions.md"))
                .content()
                .contains("| 0.1 | " + ControlMessage.PROTOCOL + " |");
    }

    /** Its lines have the side that wrote the message. Another number needs another conversation. */
    @Test
    void readsAndWritesRecordedConversation() throws Exception {
        String name = "conversation-" + ControlMessage.PROTOCOL + ".txt";
        try (InputStream file = Objects.requireNonNull(getClass().getResourceAsStream(name), name)) {
            List<String> lines = new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(lines).hasSizeGreaterThan(10).allSatisfy(line -> {
                byte[] json = line.substring(line.indexOf(' ') + 1).getBytes(StandardCharsets.UTF_8);
                ControlMessage message = ControlConnection.FORMAT.read(json, 0, json.length);

                assertThat(JSON.readTree(ControlConnection.FORMAT.write(message)))
                        .isEqualTo(JSON.readTree(json));
            });
        }
    }

    private static String form() {
        Set<Class<?>> records = new LinkedHashSet<>();
        StringBuilder form = new StringBuilder("protocol " + ControlMessage.PROTOCOL + "\n");
        Arrays.stream(ControlMessage.class.getPermittedSubclasses())
                .map(message -> MessageFormat.name(message) + components(message, records))
                .sorted()
                .forEach(line -> form.append(line).append('\n'));
        Set<Class<?>> described = new LinkedHashSet<>();
        while (described.size() < records.size()) {
            for (Class<?> type : Set.copyOf(records)) {
                if (described.add(type)) {
                    components(type, records);
                }
            }
        }
        records.stream()
                .map(type -> type.getSimpleName() + components(type, new LinkedHashSet<>()))
                .sorted()
                .forEach(line -> form.append(line).append('\n'));
        return form.toString();
    }

    private static String components(Class<?> type, Set<Class<?>> records) {
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(word -> JSON.valueToTree(word).stringValue())
                    .collect(Collectors.joining(", ", "[", "]"));
        }
        return Arrays.stream(type.getRecordComponents())
                .map(component -> component.getName() + " " + name(component, records))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String name(RecordComponent component, Set<Class<?>> records) {
        Type type = onWire(component.getGenericType());
        add(type, records);
        return type.getTypeName().replaceAll("[a-zA-Z0-9.]+[.$]", "");
    }

    /** Returns the type of the JSON that a value is made from. */
    private static Type onWire(Type type) {
        if (!(type instanceof Class<?> plain)) {
            return type;
        }
        return plain == Duration.class
                ? String.class
                : Arrays.stream(plain.getDeclaredMethods())
                        .filter(method -> method.isAnnotationPresent(JsonCreator.class))
                        .map(method -> method.getGenericParameterTypes()[0])
                        .findFirst()
                        .orElse(type);
    }

    private static void add(Type type, Set<Class<?>> records) {
        if (type instanceof ParameterizedType parameterized) {
            for (Type argument : parameterized.getActualTypeArguments()) {
                add(argument, records);
            }
        } else if (type instanceof Class<?> plain && (plain.isRecord() || plain.isEnum())) {
            records.add(plain);
        }
    }
}
