package org.lagbench.core.file;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.UntrustedText;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Records as JSON. Unlike Jackson alone it refuses nulls for components that are not {@code @Nullable}, also in lists
 * and maps, values of other types, such as text for a number, and those that are not {@link Within} a range. Members
 * that a record does not have are ignored. A missing member has its value in the constant {@code DEFAULT} of its
 * record, or the constant {@code DEFAULT} of its type. Thread-safe.
 */
public final class StrictJson {
    /** The end of the message on a member that is missing and has no default. */
    public static final String MISSING = "is missing";

    private static final JsonMapper JSON = builder().build();
    private static final int LONGEST_QUOTE = 60;

    /** What the {@link JsonCreator} method of a class makes a value from, if it has one. A search takes long. */
    private static final ClassValue<Optional<AnnotatedType>> SIMPLER = new ClassValue<>() {
        @Override
        protected Optional<AnnotatedType> computeValue(Class<?> type) {
            return Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(JsonCreator.class))
                    .map(method -> method.getAnnotatedParameterTypes()[0])
                    .findFirst();
        }
    };

    /** The largest accepted magnitude of a number: a time in ns of more than 30 years. */
    private static final double LARGEST_NUMBER = 1e18;

    private StrictJson() {}

    /** Returns a builder of mappers for which only the components of a record are its members. */
    public static JsonMapper.Builder builder() {
        return JsonMapper.builder()
                .changeDefaultVisibility(members -> members.withIsGetterVisibility(Visibility.NONE))
                // else an empty text is read as null by types that are not a text
                .withCoercionConfigDefaults(
                        config -> config.setCoercion(CoercionInputShape.EmptyString, CoercionAction.Fail));
    }

    /** Returns a record as one line of JSON, without the line's end. */
    public static String line(Record value) {
        return JSON.writeValueAsString(value);
    }

    /**
     * Reads a record.
     *
     * @throws IllegalArgumentException if the text has none, or a value is not accepted
     */
    public static <T extends Record> T read(String text, Class<T> type) {
        try {
            return convert(JSON.readTree(text), type);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Converts a tree to a record.
     *
     * @throws IllegalArgumentException if the tree does not fit; the message has the member and what is wrong with it,
     *     without a period: {@code counts.received: "x" is not a whole number}
     */
    public static <T extends Record> T convert(JsonNode tree, Class<T> type) {
        return convert(JSON, tree, type);
    }

    /** Converts a tree like {@link #convert(JsonNode, Class)}, with another mapper. */
    public static <T> T convert(JsonMapper mapper, JsonNode tree, Class<T> type) {
        checkRecord(tree, type, "");
        try {
            return mapper.treeToValue(tree, type);
        } catch (JacksonException e) {
            StringBuilder member = new StringBuilder();
            for (JacksonException.Reference reference : e.getPath()) {
                String name = reference.getPropertyName();
                member.append(name == null ? "[" + reference.getIndex() + "]" : member.isEmpty() ? name : "." + name);
            }
            String reason = e.getCause() instanceof IllegalArgumentException explained
                    ? String.valueOf(explained.getMessage())
                    : "this value is not accepted";
            throw new IllegalArgumentException(member.isEmpty() ? reason : member + ": " + reason, e);
        }
    }

    private static void checkRecord(JsonNode node, Class<?> type, String path) {
        require(node.isObject(), path, node, "an object");
        for (RecordComponent component : type.getRecordComponents()) {
            JsonNode value = memberOrDefault((ObjectNode) node, component, type);
            String member = path.isEmpty() ? component.getName() : path + "." + component.getName();
            AnnotatedType componentType = component.getAnnotatedType();
            if (value != null && !value.isNull()) {
                check(value, componentType, member);
                checkRange(value, component.getAnnotation(Within.class), member);
            } else if (!componentType.isAnnotationPresent(Nullable.class)) {
                throw new IllegalArgumentException(member + ": " + (value == null ? MISSING : "is null"));
            }
        }
    }

    private static void checkRange(JsonNode value, @Nullable Within range, String member) {
        if (range != null && value.isNumber()) {
            requireWithin(value.longValue(), range.min(), range.max(), member);
        } else if (range != null && value.isString()) {
            int characters = UntrustedText.escape(value.stringValue()).length();
            requireWithin(characters, range.min(), range.max(), "the length of " + member);
        } else if (range != null) {
            requireWithin(value.size(), range.min(), range.max(), "the size of " + member);
        }
    }

    /**
     * Checks that a number of a record can be true.
     *
     * @throws IllegalArgumentException if it is out of range; the message begins with the field
     */
    public static void requireWithin(long value, long min, long max, String field) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(field + " is " + value
                    + (max == Long.MAX_VALUE ? ", below " + min : ", not from " + min + " to " + max));
        }
    }

    /** Returns a component's member. If it is missing and has a default, it is added to the object. */
    private static @Nullable JsonNode memberOrDefault(ObjectNode node, RecordComponent component, Class<?> type) {
        JsonNode value = node.get(component.getName());
        if (value != null || component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            return value;
        }
        try {
            Object record = constant(type);
            Object absent = record == null
                    ? constant(component.getType())
                    : component.getAccessor().invoke(record);
            if (absent != null) {
                node.set(component.getName(), JSON.valueToTree(absent));
            }
            return node.get(component.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the public constant DEFAULT of a record; null if it has none of its type. */
    private static @Nullable Object constant(Class<?> type) throws ReflectiveOperationException {
        for (Field field : type.isRecord() ? type.getFields() : new Field[0]) {
            if (field.getName().equals("DEFAULT") && field.getType() == type) {
                return field.get(null);
            }
        }
        return null;
    }

    /** Checks a value that is not null. */
    private static void check(JsonNode node, AnnotatedType annotated, String path) {
        Type type = annotated.getType();
        if (annotated instanceof AnnotatedParameterizedType parameterized) {
            AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
            checkAll(node, arguments[arguments.length - 1], arguments.length == 1, path);
        } else if (type instanceof Class<?> known && SIMPLER.get(known).isPresent()) {
            check(node, SIMPLER.get(known).get(), path);
        } else if (type instanceof Class<?> known && known.isRecord()) {
            checkRecord(node, known, path);
        } else if (type == long.class || type == Long.class) {
            require(node.isIntegralNumber() && node.canConvertToLong(), path, node, "a whole number of 64 bits");
        } else if (type == int.class || type == Integer.class) {
            require(node.isIntegralNumber() && node.canConvertToInt(), path, node, "a whole number of 32 bits");
        } else if (type == double.class || type == Double.class) {
            double number = node.doubleValue(Double.NaN);
            require(node.isNumber() && Double.isFinite(number), path, node, "a number");
            if (Math.abs(number) > LARGEST_NUMBER) {
                throw new IllegalArgumentException(path + " is " + number + ", which is impossible");
            }
        } else if (type == boolean.class) {
            require(node.isBoolean(), path, node, "true or false");
        } else if (type == Object.class) {
            checkNumbers(node, path);
        } else {
            require(node.isString(), path, node, "text"); // also an enum, whose constants Jackson checks
        }
    }

    /** Checks the numbers within a value of any type: one beyond the range of a double would be read as infinite. */
    private static void checkNumbers(JsonNode node, String path) {
        boolean isWhole = node.isIntegralNumber() && node.canConvertToLong();
        require(!node.isNumber() || isWhole || Double.isFinite(node.doubleValue(Double.NaN)), path, node, "a number");
        node.forEach(element -> checkNumbers(element, path));
    }

    private static void checkAll(JsonNode node, AnnotatedType type, boolean isList, String path) {
        require(isList ? node.isArray() : node.isObject(), path, node, isList ? "a list" : "an object");
        if (isList) {
            for (int i = 0; i < node.size(); i++) {
                checkElement(node.get(i), type, path + "[" + i + "]");
            }
        } else {
            node.properties().forEach(member -> checkElement(member.getValue(), type, path + "." + member.getKey()));
        }
    }

    private static void checkElement(JsonNode node, AnnotatedType type, String path) {
        if (!node.isNull()) {
            check(node, type, path);
        } else if (!type.isAnnotationPresent(Nullable.class)) {
            throw new IllegalArgumentException(path + ": is null");
        }
    }

    private static void require(boolean fits, String path, JsonNode node, String expected) {
        if (!fits) {
            String text = node.toString();
            String quote = text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
            throw new IllegalArgumentException((path.isEmpty() ? "" : path + ": ") + quote + " is not " + expected);
        }
    }
}
