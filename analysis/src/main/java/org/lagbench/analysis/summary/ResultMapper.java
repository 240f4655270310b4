package org.lagbench.analysis.summary;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.text.Units;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes results as JSON. A record component {@code …Ns} becomes {@code …Us}, with all its numbers in µs; only values
 * about clocks stay in ns. Undefined and unknown values are null.
 */
public final class ResultMapper {
    /** The types that stay in ns: uncertainties of clocks, steps, and times read from clocks. */
    private static final Set<String> KEPT_IN_NS = Set.of(
            "boundNs",
            "uncertaintyNs",
            "midSpanNs",
            "midSpanOffsetNs",
            "afterNs",
            "beforeNs",
            "sizeNs",
            "leastNs",
            "greatestNs");

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .changeDefaultVisibility(all -> all.withVisibility(PropertyAccessor.IS_GETTER, Visibility.NONE))
            .propertyNamingStrategy(new DurationNames())
            .annotationIntrospector(new ResultIntrospector())
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new NumberSerializer(1))
                    .addSerializer(double.class, new NumberSerializer(1)))
            .addMixIn(MeasuredPoint.class, MeasuredPointMixIn.class)
            .addMixIn(StreamRole.Direction.class, DirectionMixIn.class)
            .build();

    private ResultMapper() {}

    /** Returns the mapper from which the schema of results is generated. */
    public static JsonMapper mapper() {
        return JSON;
    }

    public static JsonNode tree(Object result) {
        return JSON.valueToTree(result);
    }

    /** Returns a result as indented text that ends with a line feed. */
    public static String text(Object result) {
        return UntrustedText.lines(JSON.writeValueAsString(result)) + "\n";
    }

    /** Returns an event of a stream of JSON, one object per line. */
    public static String event(String event, Object data) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("event", event)
                .set("data", tree(data))
                .toString();
    }

    /**
     * Visits each value that is no object and no array of objects, with its path: the names of the members that lead to
     * it. An element of an array of objects with three or more members has a name in paths: its first member, or its
     * number from 1 if it has a member {@code run} or the first is a time. Other arrays are values.
     */
    public static void forEachValue(String path, JsonNode node, BiConsumer<String, JsonNode> visitor) {
        if (node.isObject()) {
            node.properties().forEach(member -> forEachValue(path + "." + member.getKey(), member.getValue(), visitor));
        } else if (node.isArray() && node.valueStream().anyMatch(element -> element.size() > 2)) {
            for (int i = 0; i < node.size(); i++) {
                JsonNode element = node.get(i);
                boolean isNumbered = element.has("run")
                        || element.propertyNames().iterator().next().endsWith("Ns");
                String name = isNumbered
                        ? Integer.toString(i + 1)
                        : name(element.iterator().next());
                forEachValue(path + "." + name, element, visitor);
            }
        } else {
            visitor.accept(path, node);
        }
    }

    private static String name(JsonNode first) {
        return first.isNumber() ? first.decimalValue().stripTrailingZeros().toPlainString() : first.asString();
    }

    private static boolean isDuration(String component) {
        return component.endsWith("Ns") && !KEPT_IN_NS.contains(component);
    }

    private static final class DurationNames extends PropertyNamingStrategies.NamingBase {
        @Override
        public String translate(String component) {
            if (component.equals("metrics")) {
                return "figures"; // the name in files since the first version
            }
            return isDuration(component) ? component.substring(0, component.length() - 2) + "Us" : component;
        }
    }

    /** Scales durations, and writes enum constants, as values and keys, by their own names. */
    private static final class ResultIntrospector extends JacksonAnnotationIntrospector {
        private static final Set<String> NAMES = Set.of("id", "text", "percent");
        private static final Set<Class<?>> NAMED = Set.of(SideCause.class, TextEnum.class);

        @Override
        public @Nullable Object findSerializer(MapperConfig<?> config, Annotated annotated) {
            return annotated instanceof AnnotatedMember && isDuration(annotated.getName())
                    ? new NumberSerializer(Units.NS_PER_US)
                    : super.findSerializer(config, annotated);
        }

        @Override
        public @Nullable Boolean hasAsValue(MapperConfig<?> config, Annotated annotated) {
            boolean isName = annotated instanceof AnnotatedMethod method
                    && (method.getDeclaringClass().isEnum() || NAMED.contains(method.getDeclaringClass()))
                    && NAMES.contains(method.getName())
                    && !method.hasAnnotation(JsonValue.class);
            return isName ? Boolean.TRUE : super.hasAsValue(config, annotated);
        }
    }

    /** Divides all numbers in a value, and writes null for numbers that are not finite. */
    private static final class NumberSerializer extends ValueSerializer<Object> {
        private final double divisor;

        NumberSerializer(double divisor) {
            this.divisor = divisor;
        }

        @Override
        public void serialize(Object value, JsonGenerator generator, SerializationContext context) {
            if (value instanceof Number number) {
                if (Double.isFinite(number.doubleValue())) {
                    generator.writeNumber(number.doubleValue() / divisor);
                } else {
                    generator.writeNull();
                }
            } else {
                generator.writeTree(scaled(tree(value)));
            }
        }

        private JsonNode scaled(JsonNode node) {
            if (node.isNumber()) {
                return JsonNodeFactory.instance.numberNode(node.doubleValue() / divisor);
            }
            ObjectNode scaled = JsonNodeFactory.instance.objectNode();
            node.properties().forEach(member -> scaled.set(member.getKey(), scaled(member.getValue())));
            return node.isObject() ? scaled : node;
        }
    }

    /** The members of a point since the first version, and what was set besides them. */
    @JsonIgnoreProperties("point")
    @JsonPropertyOrder({
        "transport",
        "transportTitle",
        "bus",
        "lab",
        "packetBytes",
        "traffic",
        "transfer",
        "paceMode",
        "paceIntervalNs",
        "paceBurst",
        "engine",
        "jvm",
        "stream",
        "settings",
        "conditions"
    })
    private interface MeasuredPointMixIn {
        @JsonProperty
        String transport();

        @JsonProperty
        int packetBytes();

        @JsonProperty
        String traffic();

        @JsonProperty
        @Nullable
        TransferSpec transfer();

        @JsonProperty
        String paceMode();

        @JsonProperty
        long paceIntervalNs();

        @JsonProperty
        int paceBurst();

        @JsonProperty
        String engine();

        @JsonProperty
        String jvm();

        @JsonProperty
        Map<String, Object> settings();

        @JsonProperty
        Map<String, String> conditions();
    }

    private interface DirectionMixIn {
        @JsonValue(false) // the constant's name, as in files since the first version
        String text();
    }
}
