package org.lagbench.core.file;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.UntrustedText;
import tools.jackson.databind.JsonNode;

/**
 * Makes records from trees of JSON by reflection. Jackson's own reader of records takes a fifth of the CPU time of a
 * short run's sender: it reads the annotations of each class and makes method handles, which a short-lived JVM uses
 * once.
 *
 * @param texts applied to all texts and names
 */
record RecordReader(UnaryOperator<String> texts) {
    private static final String A_UUID = "a UUID";
    private static final int UUID_CHARACTERS = 36;

    /** The largest accepted magnitude of a number: a time in ns of more than 30 years. */
    private static final double LARGEST_NUMBER = 1e18;

    private static final ClassValue<RecordType> RECORDS = new ClassValue<>() {
        @Override
        protected RecordType computeValue(Class<?> type) {
            return RecordType.of(type);
        }
    };

    /** The method of a class that makes a value from a simpler one. */
    private static final ClassValue<Creator> CREATORS = new ClassValue<>() {
        @Override
        protected Creator computeValue(Class<?> type) {
            return new Creator(Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(JsonCreator.class))
                    .findFirst()
                    .orElse(null));
        }
    };

    /** The constants of an enumeration by their texts. */
    private static final ClassValue<Map<String, Object>> CONSTANTS = new ClassValue<>() {
        @Override
        protected Map<String, Object> computeValue(Class<?> type) {
            Map<String, Object> constants = new LinkedHashMap<>();
            for (Object constant : type.getEnumConstants()) {
                constants.put(RecordWriter.tree(constant).stringValue(), constant);
            }
            return constants;
        }
    };

    private record Creator(@Nullable Method method) {
        Creator {
            if (method != null) {
                method.setAccessible(true);
            }
        }
    }

    private record RecordType(Constructor<?> constructor, List<Member> members) {
        static RecordType of(Class<?> type) {
            RecordComponent[] components = type.getRecordComponents();
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
                constructor.setAccessible(true);
                return new RecordType(
                        constructor, Arrays.stream(components).map(Member::of).toList());
            } catch (NoSuchMethodException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private record Member(RecordComponent component, AnnotatedType type, @Nullable Within range, boolean isNullable) {
        static Member of(RecordComponent component) {
            AnnotatedType type = component.getAnnotatedType();
            return new Member(
                    component, type, component.getAnnotation(Within.class), type.isAnnotationPresent(Nullable.class));
        }

        /** Returns the member's value in the constant DEFAULT of its record or of its type; null if there is none. */
        @Nullable
        Object absent() {
            try {
                Object record = constant(component.getDeclaringRecord());
                return record == null
                        ? constant(component.getType())
                        : component.getAccessor().invoke(record);
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
    }

    /** Makes a value: a record, or what a text means. */
    private interface Making {
        Object make() throws ReflectiveOperationException;
    }

    /** @throws IllegalArgumentException see {@link StrictJson#convert} */
    Object record(JsonNode node, Class<?> type, String path) {
        require(node.isObject(), path, node, "an object");
        RecordType shape = RECORDS.get(type);
        @Nullable Object[] values = new Object[shape.members.size()];
        for (int i = 0; i < values.length; i++) {
            Member member = shape.members.get(i);
            String name = member.component.getName();
            values[i] = member(node.get(name), member, path.isEmpty() ? name : path + "." + name);
        }
        return make(path, node, () -> shape.constructor.newInstance(values));
    }

    /** Checks the members of a record that are there. */
    void check(JsonNode node, Class<?> type, String path) {
        for (Member member : RECORDS.get(type).members) {
            String name = member.component.getName();
            if (node.has(name)) {
                member(node.get(name), member, path + "." + name);
            }
        }
    }

    private @Nullable Object member(@Nullable JsonNode node, Member member, String path) {
        if (node != null && !node.isNull()) {
            Object value = value(node, member.type, path);
            checkRange(node, member.range, path);
            return value;
        } else if (member.isNullable) {
            return null;
        }
        Object absent = node == null ? member.absent() : null;
        if (absent == null) {
            throw new IllegalArgumentException(path + ": " + (node == null ? "it is missing" : "null is not a value"));
        }
        return absent;
    }

    private static void checkRange(JsonNode value, @Nullable Within range, String member) {
        if (range != null && value.isNumber()) {
            StrictJson.requireWithin(value.longValue(), range.min(), range.max(), member);
        } else if (range != null && value.isString()) {
            int characters = UntrustedText.escape(value.stringValue()).length();
            StrictJson.requireWithin(characters, range.min(), range.max(), "the length of " + member);
        } else if (range != null) {
            StrictJson.requireWithin(value.size(), range.min(), range.max(), "the size of " + member);
        }
    }

    /** Returns a value that is not null. */
    private Object value(JsonNode node, AnnotatedType annotated, String path) {
        if (annotated instanceof AnnotatedParameterizedType parameterized) {
            AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
            AnnotatedType element = arguments[arguments.length - 1];
            return arguments.length == 1
                    ? list(node, element, parameterized.getType().getTypeName().startsWith(Set.class.getName()), path)
                    : map(node, element, path);
        }
        Class<?> type = (Class<?>) annotated.getType();
        if (type == long.class || type == Long.class) {
            require(node.isIntegralNumber() && node.canConvertToLong(), path, node, "a whole number of 64 bits");
            return node.longValue();
        } else if (type == int.class || type == Integer.class) {
            require(node.isIntegralNumber() && node.canConvertToInt(), path, node, "a whole number of 32 bits");
            return node.intValue();
        } else if (type == double.class || type == Double.class) {
            double number = node.doubleValue(Double.NaN);
            require(node.isNumber() && Double.isFinite(number), path, node, "a number");
            require(Math.abs(number) <= LARGEST_NUMBER, path, node, "possible");
            return number;
        } else if (type == boolean.class || type == Boolean.class) {
            require(node.isBoolean(), path, node, "true or false");
            return node.booleanValue();
        } else if (type == String.class) {
            return text(node, path);
        } else if (type == Object.class) {
            return Objects.requireNonNull(any(node, path));
        } else if (type.isEnum()) {
            Map<String, Object> constants = CONSTANTS.get(type);
            Object constant = constants.get(text(node, path));
            require(constant != null, path, node, "one of " + String.join(", ", constants.keySet()));
            return Objects.requireNonNull(constant);
        }
        Method creator = CREATORS.get(type).method;
        if (creator != null) {
            Object simpler = value(node, creator.getAnnotatedParameterTypes()[0], path);
            return make(path, node, () -> creator.invoke(null, simpler));
        }
        return type.isRecord() ? record(node, type, path) : ofText(node, type, path);
    }

    private String text(JsonNode node, String path) {
        require(node.isString(), path, node, "text");
        return texts.apply(node.stringValue());
    }

    private Object ofText(JsonNode node, Class<?> type, String path) {
        String text = text(node, path);
        if (type == Duration.class) {
            return parse(() -> Duration.parse(text), path, node, "a duration, such as PT1.5S");
        } else if (type == Instant.class) {
            return parse(() -> Instant.parse(text), path, node, "a time, such as 2026-11-30T12:00:00Z");
        } else if (type == UUID.class) {
            require(text.length() == UUID_CHARACTERS, path, node, A_UUID); // the JDK reads shorter ones
            return parse(() -> UUID.fromString(text), path, node, A_UUID);
        }
        throw new IllegalStateException(type + " cannot be read from text");
    }

    private static Object parse(Making making, String path, JsonNode node, String expected) {
        try {
            return making.make();
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException(notExpected(path, node, expected), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private Object list(JsonNode node, AnnotatedType element, boolean isSet, String path) {
        require(node.isArray(), path, node, "a list");
        Collection<@Nullable Object> elements = isSet ? new LinkedHashSet<>() : new ArrayList<>(node.size());
        for (int i = 0; i < node.size(); i++) {
            String where = path + "[" + i + "]";
            if (!elements.add(element(node.get(i), element, where))) {
                throw new IllegalArgumentException(where + ": " + JsonText.quote(node.get(i)) + " is there twice");
            }
        }
        return elements;
    }

    private Object map(JsonNode node, AnnotatedType element, String path) {
        require(node.isObject(), path, node, "an object");
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            String name = member.getKey();
            values.put(texts.apply(name), element(member.getValue(), element, path + "." + name));
        }
        return values;
    }

    private @Nullable Object element(JsonNode node, AnnotatedType type, String path) {
        if (!node.isNull()) {
            return value(node, type, path);
        } else if (!type.isAnnotationPresent(Nullable.class)) {
            throw new IllegalArgumentException(path + ": null is not a value");
        }
        return null;
    }

    /** Returns a value of any type. A number beyond the range of a double would be infinite. */
    private @Nullable Object any(JsonNode node, String path) {
        if (node.isNumber()) {
            boolean isWhole = node.isIntegralNumber() && node.canConvertToLong();
            require(isWhole || Double.isFinite(node.doubleValue(Double.NaN)), path, node, "in the range of a double");
            return node.numberValue();
        } else if (node.isArray()) {
            List<@Nullable Object> elements = new ArrayList<>();
            node.forEach(element -> elements.add(any(element, path)));
            return elements;
        } else if (node.isObject()) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            node.properties().forEach(member -> values.put(texts.apply(member.getKey()), any(member.getValue(), path)));
            return values;
        }
        return node.isNull() ? null : node.isBoolean() ? (Object) node.booleanValue() : text(node, path);
    }

    private static Object make(String path, JsonNode node, Making making) {
        try {
            return making.make();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw refusal(path, node, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IllegalArgumentException refusal(String path, JsonNode node, @Nullable Throwable cause) {
        String reason = cause instanceof IllegalArgumentException ? String.valueOf(cause.getMessage()) : "";
        boolean isNamed = !reason.isEmpty() && (node.isObject() || reason.contains(node.asString()));
        String refused = isNamed ? "" : JsonText.quote(node) + " is not accepted" + (reason.isEmpty() ? "" : ": ");
        return new IllegalArgumentException((path.isEmpty() ? "" : path + ": ") + refused + reason, cause);
    }

    private static void require(boolean fits, String path, JsonNode node, String expected) {
        if (!fits) {
            throw new IllegalArgumentException(notExpected(path, node, expected));
        }
    }

    private static String notExpected(String path, JsonNode node, String expected) {
        return (path.isEmpty() ? "" : path + ": ") + JsonText.quote(node) + " is not " + expected;
    }
}
