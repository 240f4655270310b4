package org.lagbench.core.model;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The components of a record and of its nested records whose components have separate values, at any depth.
 *
 * @param parts the record's components in order; each nested record with its shape
 */
record RecordShape(Constructor<?> constructor, Map<RecordComponent, Optional<RecordShape>> parts) {
    /**
     * Returns the shape of a record.
     *
     * @param isValue whether a component that is a record is one value
     */
    static RecordShape of(Class<?> type, Predicate<RecordComponent> isValue) {
        RecordComponent[] components = type.getRecordComponents();
        Map<RecordComponent, Optional<RecordShape>> parts = new LinkedHashMap<>();
        for (RecordComponent component : components) {
            boolean isPart = component.getType().isRecord() && !isValue.test(component);
            parts.put(component, isPart ? Optional.of(of(component.getType(), isValue)) : Optional.empty());
        }
        try {
            return new RecordShape(
                    type.getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new)),
                    parts);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the components with a value. */
    List<RecordComponent> values() {
        List<RecordComponent> values = new ArrayList<>();
        parts.forEach(
                (component, part) -> values.addAll(part.map(RecordShape::values).orElse(List.of(component))));
        return values;
    }

    /** Returns the record with these values. */
    Object create(Map<RecordComponent, Object> values) {
        List<@Nullable Object> arguments = new ArrayList<>();
        parts.forEach((component, part) ->
                arguments.add(part.map(shape -> shape.create(values)).orElse(values.get(component))));
        try {
            return constructor.newInstance(arguments.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Adds the values of a record. */
    void read(Object record, Map<RecordComponent, @Nullable Object> values) {
        parts.forEach((component, part) -> {
            try {
                @Nullable Object value = component.getAccessor().invoke(record);
                if (part.isPresent() && value != null) {
                    part.get().read(value, values);
                } else {
                    values.put(component, value);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
