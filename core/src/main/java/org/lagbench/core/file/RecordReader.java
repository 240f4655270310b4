package org.lagbench.core.file;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.UntrustedText;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Makes records from trees of JSON by reflection. Jackson's own reader of records takes a fifth of the CPU time of a
 * short run's sender: it reads the annotations of each class and makes method handles, which a short-lived JVM uses
 * once.
 *
 * @param texts applied to all texts and names
 */
record RecordReader(UnaryOperator<String> texts) {
    private static final int LONGEST_QUOTE = 60;

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
            return Arrays.stream(type.getEnumConstants())
                    .collect(Collectors.toUnmodifiableMap(
                            constant -> RecordWriter.tree(constant).stringValue(), Function.identity()));
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

    /** Makes a value, such as a record's. */
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
        return make(path, () -> shape.constructor.newInstance(values));
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
            throw new IllegalArgumentException(path + ": " + (node == null ? StrictJson.MISSING : "is null"));
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
            if (Math.abs(number) > LARGEST_NUMBER) {
                throw new IllegalArgumentException(path + " is " + number + ", which is impossible");
            }
            return number;
        } else if (type == boolean.class) {
            require(node.isBoolean(), path, node, "true or false");
            return node.booleanValue();
        } else if (type == String.class) {
            return text(node, path);
        } else if (type == Object.class) {
            return Objects.requireNonNull(any(node, path));
        } else if (type.isEnum()) {
            Object constant = CONSTANTS.get(type).get(text(node, path));
            if (constant == null) {
                throw refusal(path, null);
            }
            return constant;
        }
        Method creator = CREATORS.get(type).method;
        if (creator != null) {
            Object simpler = value(node, creator.getAnnotatedParameterTypes()[0], path);
            return make(path, () -> creator.invoke(null, simpler));
        }
        return type.isRecord() ? record(node, type, path) : named(text(node, path), node, type, path);
    }

    private String text(JsonNode node, String path) {
        require(node.isString(), path, node, "text");
        return texts.apply(node.stringValue());
    }

    /** Returns a value that JSON has as a text. */
    private static Object named(String text, JsonNode node, Class<?> type, String path) {
        try {
            return type == Duration.class
                    ? Duration.parse(text)
                    : StrictJson.mapper().treeToValue(node, type);
        } catch (DateTimeParseException | JacksonException e) {
            throw refusal(path, e.getCause() == null ? e : e.getCause());
        }
    }

    private Object list(JsonNode node, AnnotatedType element, boolean isSet, String path) {
        require(node.isArray(), path, node, "a list");
        Collection<@Nullable Object> elements = isSet ? new LinkedHashSet<>() : new ArrayList<>(node.size());
        for (int i = 0; i < node.size(); i++) {
            elements.add(element(node.get(i), element, path + "[" + i + "]"));
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
            throw new IllegalArgumentException(path + ": is null");
        }
        return null;
    }

    /** Returns a value of any type. A number beyond the range of a double would be infinite. */
    private @Nullable Object any(JsonNode node, String path) {
        if (node.isNumber()) {
            boolean isWhole = node.isIntegralNumber() && node.canConvertToLong();
            require(isWhole || Double.isFinite(node.doubleValue(Double.NaN)), path, node, "a number");
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

    private static Object make(String path, Making making) {
        try {
            return making.make();
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw refusal(path, e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IllegalArgumentException refusal(String path, @Nullable Throwable cause) {
        String reason = cause instanceof IllegalArgumentException explained
                ? String.valueOf(explained.getMessage())
                : "this value is not accepted";
        return new IllegalArgumentException(path.isEmpty() ? reason : path + ": " + reason, cause);
    }

    private static void require(boolean fits, String path, JsonNode node, String expected) {
        if (!fits) {
            String text = node.toString();
            String quote = text.length() <= LONGEST_QUOTE ? text : text.substring(0, LONGEST_QUOTE) + "…";
            throw new IllegalArgumentException((path.isEmpty() ? "" : path + ": ") + quote + " is not " + expected);
        }
    }
}
