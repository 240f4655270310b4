package org.lagbench.core.file;

import com.fasterxml.jackson.annotation.JsonValue;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.EnumNaming;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes trees of JSON from records by reflection, for the reason of {@link RecordReader}. */
final class RecordWriter {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** The names of a record's components and the methods that return them, or the method of another class's value. */
    private record Accessors(@Nullable Method simpler, List<Method> components) {
        static Accessors of(Class<?> type) {
            List<Method> components = new ArrayList<>();
            if (type.isRecord()) {
                Arrays.stream(type.getRecordComponents())
                        .map(RecordComponent::getAccessor)
                        .forEach(components::add);
            }
            Method simpler = Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(JsonValue.class))
                    .findFirst()
                    .orElse(null);
            if (simpler != null) {
                simpler.setAccessible(true);
            }
            components.forEach(accessor -> accessor.setAccessible(true));
            return new Accessors(simpler, components);
        }
    }

    private static final ClassValue<Accessors> ACCESSORS = new ClassValue<>() {
        @Override
        protected Accessors computeValue(Class<?> type) {
            return Accessors.of(type);
        }
    };

    private RecordWriter() {}

    static JsonNode tree(@Nullable Object value) {
        if (value == null) {
            return NODES.nullNode();
        } else if (value instanceof String text) {
            return NODES.stringNode(text);
        } else if (value instanceof Integer number) {
            return NODES.numberNode(number.intValue());
        } else if (value instanceof Long number) {
            return NODES.numberNode(number.longValue());
        } else if (value instanceof Double number) {
            return NODES.numberNode(number.doubleValue());
        } else if (value instanceof Boolean flag) {
            return NODES.booleanNode(flag);
        } else if (value instanceof Collection<?> elements) {
            ArrayNode array = NODES.arrayNode();
            elements.forEach(element -> array.add(tree(element)));
            return array;
        } else if (value instanceof Map<?, ?> members) {
            ObjectNode object = NODES.objectNode();
            members.forEach((name, member) -> object.set(String.valueOf(name), tree(member)));
            return object;
        } else if (value instanceof Duration || value instanceof Instant || value instanceof UUID) {
            return NODES.stringNode(value.toString());
        }
        boolean isOwn =
                value instanceof Record || value instanceof Enum || ACCESSORS.get(value.getClass()).simpler != null;
        return isOwn ? own(value) : StrictJson.mapper().valueToTree(value);
    }

    private static JsonNode own(Object value) {
        Class<?> type = value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        Accessors accessors = ACCESSORS.get(type);
        if (accessors.simpler != null) {
            return tree(get(value, accessors.simpler));
        } else if (value instanceof Enum<?> constant) {
            return NODES.stringNode(text(constant));
        }
        ObjectNode object = NODES.objectNode();
        accessors.components.forEach(accessor -> object.set(accessor.getName(), tree(get(value, accessor))));
        return object;
    }

    private static String text(Enum<?> constant) {
        EnumNaming naming = constant.getDeclaringClass().getAnnotation(EnumNaming.class);
        if (naming != null && naming.value() != EnumNamingStrategies.KebabCaseStrategy.class) {
            throw new IllegalStateException(constant.getDeclaringClass().getName() + " has the naming "
                    + naming.value().getSimpleName() + "; only KebabCaseStrategy is written");
        }
        return naming == null
                ? constant.toString()
                : constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static @Nullable Object get(Object value, Method accessor) {
        try {
            return accessor.invoke(value);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(accessor + " failed", e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
