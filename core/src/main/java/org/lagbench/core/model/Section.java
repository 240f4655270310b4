package org.lagbench.core.model;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a record, one for each component, bound by its name or its {@link Key}. A component that may be
 * null has a parameter whose value is an Optional.
 *
 * @param <R> the record
 */
public final class Section<R extends Record> {
    private static final Pattern HYPHEN = Pattern.compile("-(.)");

    /** What the name of a component may have in addition to its parameter's: the plural, or a unit. */
    private static final String UNIT = "(s|[A-Z].*)?";

    private final List<Parameter<?>> parameters;
    /** The components of the parameters. */
    private final List<RecordComponent> components;

    /** The parameters' indexes, in the order of the record's components. */
    private final int[] order;

    private final Constructor<R> constructor;
    private final Check<R> check;

    /** Checks the values of a record against each other, and refuses some. */
    public interface Check<R> {
        void check(R values, Keys keys);
    }

    /** The keys of a record in a file. */
    public interface Keys {
        /** Returns whether the file has the key. */
        boolean has(Parameter<?> key);

        /** Refuses the value of a key. */
        void add(Parameter<?> key, String sentence);
    }

    private Section(Class<R> type, List<Parameter<?>> parameters, Check<R> check) {
        this.parameters = parameters;
        this.check = check;
        List<RecordComponent> all = List.of(type.getRecordComponents());
        Class<?>[] types = all.stream().map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            this.constructor = type.getDeclaredConstructor(types);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
        this.components = parameters.stream().map(each -> component(all, each)).toList();
        this.order = all.stream().mapToInt(components::indexOf).toArray();
        if (all.size() != parameters.size() || Arrays.stream(order).anyMatch(index -> index < 0)) {
            throw new IllegalArgumentException(type + " has the components " + all + ", not " + names());
        }
    }

    /**
     * Returns the component of a parameter: the one of its name, also in the plural or with a unit ("delay" and
     * {@code delayNs}); for a mapping without a name the one of its type.
     */
    private static RecordComponent component(List<RecordComponent> all, Parameter<?> parameter) {
        String name = HYPHEN.matcher(parameter.name())
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
        Section<?> inner = parameter.section();
        List<RecordComponent> found = all.stream()
                .filter(each -> {
                    if (name.isEmpty() && inner != null) {
                        return each.getType() == inner.constructor.getDeclaringClass();
                    }
                    Key key = each.getAnnotation(Key.class);
                    return key == null
                            ? each.getName().matches(name + UNIT)
                            : key.value().equals(parameter.name());
                })
                .sorted(Comparator.comparingInt(each -> each.getName().length()))
                .toList();
        if (found.isEmpty() || (found.size() > 1 && !found.get(0).getName().equals(name))) {
            throw new IllegalArgumentException(parameter.name() + ": it belongs to " + found + " of " + all);
        }
        return found.get(0);
    }

    public static <R extends Record> Section<R> of(Class<R> type, Parameter<?>... parameters) {
        return new Section<>(type, List.of(parameters), (values, keys) -> {});
    }

    /** Returns this section with a check of each record of a file. */
    public Section<R> checked(Check<R> other) {
        return new Section<>(constructor.getDeclaringClass(), parameters, other);
    }

    /** Checks the values of a record against each other. */
    public void check(R values, Keys keys) {
        check.check(values, keys);
    }

    public List<Parameter<?>> parameters() {
        return parameters;
    }

    /** Returns the parameters, for a mapping without a name its own. */
    public List<Parameter<?>> keys() {
        List<Parameter<?>> keys = new ArrayList<>();
        for (Parameter<?> parameter : parameters) {
            Section<?> inner = parameter.section();
            keys.addAll(inner != null && parameter.name().isEmpty() ? inner.keys() : List.of(parameter));
        }
        return keys;
    }

    /** Returns the names of the keys. */
    public List<String> names() {
        return keys().stream().<String>map(Parameter::name).toList();
    }

    /** Returns the record with the default of each parameter. */
    public R createDefault() {
        return createDefault(Map.of());
    }

    /** Returns the record with these values, and the default of each other parameter. */
    public R createDefault(Map<Parameter<?>, Object> given) {
        List<Object> values = new ArrayList<>();
        for (Parameter<?> parameter : parameters) {
            Object absent = parameter.absent();
            values.add(Objects.requireNonNull(given.getOrDefault(parameter, absent), parameter.name()));
        }
        return create(values);
    }

    /** Returns a record with other values of some parameters. */
    public R with(R base, Map<? extends Parameter<?>, ?> changed) {
        List<Object> values = values(base);
        for (int i = 0; i < values.size(); i++) {
            Object value = changed.get(parameters.get(i));
            if (value != null) {
                values.set(i, value);
            }
        }
        return create(values);
    }

    /** Returns the record with these values, one for each parameter. */
    public R create(List<?> values) {
        Object[] arguments = new Object[order.length];
        for (int i = 0; i < arguments.length; i++) {
            Object value = values.get(order[i]);
            arguments[i] = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        }
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the values of a record, one for each parameter. */
    public List<Object> values(R values) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < order.length; i++) {
            all.add(value(values, i));
        }
        return all;
    }

    private Object value(R record, int index) {
        try {
            @Nullable Object value = components.get(index).getAccessor().invoke(record);
            boolean isOptional = parameters.get(index).absent() instanceof Optional;
            return isOptional ? Optional.ofNullable(value) : Objects.requireNonNull(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
