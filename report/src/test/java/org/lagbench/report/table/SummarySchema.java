package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.StreamEffect;
import org.lagbench.analysis.summary.StreamSum;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.Summary.DamagedFile;
import org.lagbench.analysis.summary.Summary.ExcludedRun;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Generates the schema of summaries from the groups of metrics, the components of their records, and the Javadoc of
 * both.
 */
final class SummarySchema {
    private static final JsonMapper JSON = ResultMapper.mapper();
    private static final int WIDTH = 140;
    private static final Pattern TAG = Pattern.compile("@param (\\w+) (.*?)(?=@param|$)", Pattern.DOTALL);

    private final Map<String, ObjectNode> definitions = new TreeMap<>();
    private final Map<String, Class<?>> named = new TreeMap<>();

    private SummarySchema() {}

    /** Returns the schema. The summary has the members of the JSON object that are not of points, runs or streams. */
    static ObjectNode of(Summary summary) throws IOException {
        SummarySchema schema = new SummarySchema();
        ObjectNode root = object("The results of the runs of one session. Durations are in microseconds (Us)."
                + " Values that are unknown, or undefined because there is no data, are null.");
        Map<String, Class<?>> arrays = Map.of(
                "points",
                PointSummary.class,
                "streams",
                StreamEffect.class,
                "sums",
                StreamSum.class,
                "excluded",
                ExcludedRun.class,
                "damage",
                DamagedFile.class);
        for (Map.Entry<String, JsonNode> member : TableFormat.tree(summary).properties()) {
            Class<?> element = arrays.get(member.getKey());
            ObjectNode property = put(root, member.getKey());
            if (element != null) {
                property.put("type", "array").set("items", schema.type(JSON.constructType(element), false));
            } else {
                property.put("type", member.getValue().isString() ? "string" : "number");
            }
        }
        ObjectNode requirements = ((ObjectNode) root.get("properties")).putObject("requirements");
        requirements.put("description", "Only with --require; docs/reference/files.md describes them.");
        requirements.put("type", "array").putObject("items").put("type", "object");
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        whole.put("$schema", "https://json-schema.org/draft/2020-12/schema").put("title", "lagbench summary");
        whole.setAll(root);
        ObjectNode all = whole.putObject("$defs");
        schema.definitions.forEach(all::set);
        return whole;
    }

    /** Returns JSON with objects and arrays of up to {@value #WIDTH} characters on one line. */
    static String text(JsonNode node) {
        return text(node, "") + "\n";
    }

    private static String text(JsonNode node, String indent) {
        String line = node.toString();
        if (line.length() <= WIDTH || !node.isObject()) {
            return line;
        }
        String inner = indent + "  ";
        return node.properties().stream()
                .map(member -> inner + '"' + member.getKey() + "\": " + text(member.getValue(), inner))
                .collect(Collectors.joining(",\n", "{\n", "\n" + indent + "}"));
    }

    /** Returns an object that allows only the members that its caller adds. */
    private static ObjectNode object(String description) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("description", description).put("type", "object").put("additionalProperties", false);
        object.putArray("required");
        object.putObject("properties");
        return object;
    }

    /** Adds a required member, and returns its schema. */
    private static ObjectNode put(ObjectNode object, String name) {
        object.withArray("required").add(name);
        return ((ObjectNode) object.get("properties")).putObject(name);
    }

    private ObjectNode type(JavaType type, boolean isNullable) throws IOException {
        ObjectNode schema = JsonNodeFactory.instance.objectNode();
        Class<?> raw = type.getRawClass();
        if (raw == double.class || raw == Double.class || raw == BigDecimal.class) {
            schema.putArray("type").add("number").add("null"); // null if it is not finite
        } else if (raw == int.class || raw == long.class || raw == Integer.class || raw == Long.class) {
            named(schema, "integer", isNullable);
        } else if (raw == boolean.class || raw == String.class) {
            named(schema, raw == String.class ? "string" : "boolean", isNullable);
        } else if (raw.isEnum()) {
            Stream.of(raw.getEnumConstants())
                    .forEach(value -> schema.withArray("enum").add(JSON.valueToTree(value)));
            if (isNullable) {
                schema.withArray("enum").addNull();
            }
        } else if (type.isMapLikeType()) {
            named(schema, "object", isNullable);
            if (type.getKeyType().isEnumType()) {
                schema.set("propertyNames", type(type.getKeyType(), false));
            }
            schema.set("additionalProperties", type(type.getContentType(), false));
        } else if (type.isCollectionLikeType()) {
            named(schema, "array", isNullable).set("items", type(type.getContentType(), false));
        } else if (raw.isRecord() || raw == Metrics.class) {
            define(type);
            ObjectNode reference = isNullable
                    ? schema.putArray("anyOf")
                            .add(JSON.createObjectNode().put("type", "null"))
                            .addObject()
                    : schema;
            reference.put("$ref", "#/$defs/" + raw.getSimpleName());
        }
        return schema;
    }

    private static ObjectNode named(ObjectNode schema, String type, boolean isNullable) {
        if (isNullable) {
            schema.putArray("type").add(type).add("null");
        } else {
            schema.put("type", type);
        }
        return schema;
    }

    private void define(JavaType type) throws IOException {
        Class<?> raw = type.getRawClass();
        Class<?> other = named.putIfAbsent(raw.getSimpleName(), raw);
        if (other != null) {
            assertThat(other).as("one type of this name").isEqualTo(raw);
            return;
        }
        String comment = comment(raw, "(?:public )?(?:final )?(?:record|class|enum) " + raw.getSimpleName() + "\\b");
        ObjectNode object = object(comment.replaceFirst(" ?@param.*", "").replaceFirst("(?<=[a-z)]\\.) [A-Z].*", ""));
        definitions.put(raw.getSimpleName(), object);
        if (properties(type).stream().anyMatch(property -> property.getName().endsWith("Us"))) {
            object.put("description", object.get("description").asString().replaceAll("\\bns\\b", "µs"));
        }
        if (raw == Metrics.class) {
            for (Field field : MetricGroup.class.getFields()) {
                if (field.getAnnotatedType() instanceof AnnotatedParameterizedType group
                        && field.getType() == MetricGroup.class
                        && MetricGroup.ALL.contains(value(field))) {
                    AnnotatedType metrics = group.getAnnotatedActualTypeArguments()[0];
                    ObjectNode property = put(object, ((MetricGroup<?>) value(field)).id());
                    property.put(
                            "description", comment(MetricGroup.class, "public static [^=;]*\\b" + field.getName()));
                    property.setAll(type(JSON.constructType(metrics.getType()), true));
                }
            }
            object.remove("required"); // a view has some of the groups
            return;
        }
        Map<String, String> sentences = new TreeMap<>();
        Matcher tag = TAG.matcher(comment);
        while (tag.find()) {
            String sentence = tag.group(2).strip();
            sentences.put(
                    tag.group(1), sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1) + ".");
        }
        for (BeanProperty property : properties(type)) {
            AnnotatedElement member = property.getMember().getAnnotated();
            ObjectNode schema = put(object, property.getName());
            String name = property.getMember().getName();
            String sentence = sentences.computeIfAbsent(name, accessor -> accessorComment(raw, accessor));
            String described = withUnit(sentence == null ? "" : sentence, unit(property.getName()));
            if (!described.isEmpty()) {
                schema.put("description", described);
            }
            boolean isScaled = property.getName().endsWith("Us")
                    && property.getMember().getName().endsWith("Ns");
            boolean isDuration = isScaled && property.getType().getRawClass() != Map.class;
            schema.setAll(
                    isDuration
                            ? type(JSON.constructType(double.class), true)
                            : type(property.getType(), isNullable(member)));
        }
    }

    /** Returns the comment of a method, without its first word; null if it has none. */
    private static @Nullable String accessorComment(Class<?> raw, String method) {
        try {
            String comment = comment(raw, "public (?:@Nullable )?[\\w<>, ]+ " + method + "\\(")
                    .replace("Returns ", "");
            return comment.isEmpty() ? null : comment.substring(0, 1).toUpperCase(Locale.ROOT) + comment.substring(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the unit of a duration by the name of its member; empty for others. */
    private static String unit(String name) {
        return name.endsWith("Ns") ? "ns" : name.endsWith("Us") ? "µs" : "";
    }

    /** Returns a sentence whose durations have this unit. */
    private static String withUnit(String sentence, String unit) {
        String inUnit = unit.isEmpty() ? sentence : sentence.replaceAll("\\b(ns|µs)\\b", unit);
        return inUnit.contains(unit) ? inUnit : (inUnit + " In " + unit + ".").strip();
    }

    private static Object value(Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the members of a record in JSON, as the mapper writes them. */
    private static List<BeanProperty> properties(JavaType type) {
        List<BeanProperty> properties = new ArrayList<>();
        JSON.acceptJsonFormatVisitor(type, new JsonFormatVisitorWrapper.Base() {
            @Override
            public JsonObjectFormatVisitor expectObjectFormat(JavaType of) {
                return new JsonObjectFormatVisitor.Base(getContext()) {
                    @Override
                    public void property(BeanProperty property) {
                        properties.add(property);
                    }

                    @Override
                    public void optionalProperty(BeanProperty property) {
                        properties.add(property);
                    }
                };
            }
        });
        return properties;
    }

    private static boolean isNullable(AnnotatedElement member) {
        AnnotatedType type =
                member instanceof Method method ? method.getAnnotatedReturnType() : ((Field) member).getAnnotatedType();
        return type.isAnnotationPresent(Nullable.class);
    }

    /** Returns the Javadoc of a declaration as one line without markup; empty if there is none. */
    private static String comment(Class<?> of, String declaration) throws IOException {
        Class<?> outermost = of;
        while (outermost.getEnclosingClass() != null) {
            outermost = outermost.getEnclosingClass();
        }
        String file = outermost.getName().replace('.', '/') + ".java";
        for (String module : List.of("core", "analysis", "report")) {
            Path source = Path.of("..", module, "src/main/java", file);
            if (Files.exists(source)) {
                String javadoc = "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*";
                String annotations = "(?:@\\w+(?:\\([^)]*\\))?\\s*|//[^\\n]*\\s*)*";
                Matcher found = Pattern.compile(javadoc + annotations + declaration, Pattern.DOTALL)
                        .matcher(Files.readString(source));
                return found.find() ? plain(found.group(1)) : "";
            }
        }
        return "";
    }

    private static String plain(String javadoc) {
        return javadoc.replaceAll("\\R\\s*\\*", " ")
                .replaceAll("\\{@\\w+ #?(?:\\w+#)?([^}]*)}", "$1")
                .replaceAll("<[^>]*>", "")
                .replaceAll("\\s+", " ")
                .strip();
    }
}
