package org.lagbench.analysis.summary;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.Metric;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMethod;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NumericNode;

/** Writes results as JSON: a member has the name of its record component. Undefined and unknown values are null. */
public final class ResultMapper {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .changeDefaultVisibility(all -> all.withVisibility(PropertyAccessor.IS_GETTER, Visibility.NONE))
            .annotationIntrospector(new ResultIntrospector())
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new NumberSerializer())
                    .addSerializer(double.class, new NumberSerializer()))
            .build();

    private ResultMapper() {}

    public static JsonNode tree(Object result) {
        return JSON.valueToTree(result);
    }

    /** Returns the value of a metric in its unit, without a fraction if it is a number of things. */
    public static NumericNode number(Metric<?> metric, double value) {
        boolean isCount =
                (metric.type() == Metric.Type.COUNT || metric.type() == Metric.Type.SIZE) && value == Math.rint(value);
        return isCount ? JsonNodeFactory.instance.numberNode((long) value) : JsonNodeFactory.instance.numberNode(value);
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

    /** Writes enum constants, as values and keys, by their own names. */
    private static final class ResultIntrospector extends JacksonAnnotationIntrospector {
        private static final Set<String> NAMES = Set.of("id", "text");

        @Override
        public @Nullable Boolean hasAsValue(MapperConfig<?> config, Annotated annotated) {
            boolean isName = annotated instanceof AnnotatedMethod method
                    && (method.getDeclaringClass().isEnum() || method.getDeclaringClass() == TextEnum.class)
                    && NAMES.contains(method.getName())
                    && !method.hasAnnotation(JsonValue.class);
            return isName ? Boolean.TRUE : super.hasAsValue(config, annotated);
        }
    }

    /** Writes null for numbers that are not finite. */
    private static final class NumberSerializer extends ValueSerializer<Double> {
        @Override
        public void serialize(Double value, JsonGenerator generator, SerializationContext context) {
            if (Double.isFinite(value)) {
                generator.writeNumber(value.doubleValue());
            } else {
                generator.writeNull();
            }
        }
    }
}
