package org.lagbench.core.model;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a record, one for each component, bound by its name or its {@link Key}. A component that is a
 * record without its own parameter has one for each of its components instead. A component that may be null has a
 * parameter whose value is an Optional.
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

    private final Class<R> type;
    private final RecordShape shape;
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
        this.type = type;
        this.parameters = parameters;
        this.check = check;
        this.shape = RecordShape.of(
                type, component -> parameters.stream().anyMatch(parameter -> isOf(component, parameter)));
        List<RecordComponent> all = shape.values();
        this.components = parameters.stream().map(each -> component(all, each)).toList();
        if (all.size() != parameters.size() || !components.containsAll(all)) {
            throw new IllegalArgumentException(type + " has the components " + all + ", not " + names());
        }
    }

    /**
     * Returns the component that a parameter sets; if several match, the component with exactly the parameter's name.
     */
    private static RecordComponent component(List<RecordComponent> all, Parameter<?> parameter) {
        List<RecordComponent> found = all.stream()
                .filter(each -> isOf(each, parameter))
                .sorted(Comparator.comparingInt(each -> each.getName().length()))
                .toList();
        if (found.isEmpty() || (found.size() > 1 && !found.get(0).getName().equals(componentName(parameter)))) {
            throw new IllegalArgumentException(
                    parameter.name() + ": must belong to one component, not to " + found + " of " + all);
        }
        return found.get(0);
    }

    /**
     * Returns whether a component may be that of a parameter: by its name, also in the plural or with a unit ("delay"
     * and {@code delayNs}); for a mapping without a name by its type.
     */
    private static boolean isOf(RecordComponent component, Parameter<?> parameter) {
        Section<?> inner = parameter.section();
        if (parameter.name().isEmpty() && inner != null) {
            return component.getType() == inner.type;
        }
        Key key = component.getAnnotation(Key.class);
        return key == null
                ? component.getName().matches(componentName(parameter) + UNIT)
                : key.value().equals(parameter.name());
    }

    private static String componentName(Parameter<?> parameter) {
        return HYPHEN.matcher(parameter.name())
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }

    public static <R extends Record> Section<R> of(Class<R> type, Parameter<?>... parameters) {
        return new Section<>(type, List.of(parameters), (values, keys) -> {});
    }

    /** Returns this section with a check of each record of a file. */
    public Section<R> checked(Check<R> other) {
        return new Section<>(type, parameters, other);
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
        return parameters.stream()
                .<Parameter<?>>flatMap(parameter -> keys(parameter).stream())
                .toList();
    }

    /** Returns the {@linkplain #keys() keys} of the components of records in the record. */
    public List<Parameter<?>> keysOf(Class<?>... parts) {
        List<Parameter<?>> keys = new ArrayList<>();
        for (int i = 0; i < components.size(); i++) {
            if (List.of(parts).contains(components.get(i).getDeclaringRecord())) {
                keys.addAll(keys(parameters.get(i)));
            }
        }
        return keys;
    }

    /** Returns the keys of a parameter; for a mapping without a name, the keys of the mapping, each a list. */
    private static List<Parameter<?>> keys(Parameter<?> parameter) {
        Section<?> inner = parameter.section();
        Parameter<?> element = parameter.element();
        if (!parameter.name().isEmpty()) {
            return List.of(parameter);
        }
        return inner != null
                ? inner.keys()
                : Objects.requireNonNull(Objects.requireNonNull(element).section()).keys().stream()
                        .<Parameter<?>>map(Parameter::list)
                        .toList();
    }

    /** Returns a record for each combination of values of the parameters; the last one varies fastest. */
    public List<R> combinations(List<? extends List<?>> values) {
        List<List<Object>> combinations = List.of(List.of());
        for (List<?> axis : values) {
            combinations = combinations.stream()
                    .flatMap(combination -> axis.stream().map(value -> with(combination, value)))
                    .toList();
        }
        return combinations.stream().map(this::create).toList();
    }

    private static List<Object> with(List<Object> values, Object another) {
        List<Object> longer = new ArrayList<>(values);
        longer.add(another);
        return longer;
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
        Map<RecordComponent, Object> arguments = new HashMap<>();
        for (int i = 0; i < components.size(); i++) {
            Object value = values.get(i);
            arguments.put(components.get(i), value instanceof Optional<?> optional ? optional.orElse(null) : value);
        }
        return type.cast(shape.create(arguments));
    }

    /** Returns the values of a record, one for each parameter. */
    public List<Object> values(R record) {
        Map<RecordComponent, @Nullable Object> read = new HashMap<>();
        shape.read(record, read);
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < components.size(); i++) {
            Object value = read.get(components.get(i));
            boolean isOptional = parameters.get(i).absent() instanceof Optional;
            all.add(isOptional ? Optional.ofNullable(value) : Objects.requireNonNull(value));
        }
        return all;
    }
}
