package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Registry.Named;
import org.lagbench.core.model.Section;
import org.lagbench.core.text.Suggestion;
import org.lagbench.experiment.YamlNode.Entry;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.Scalar;
import org.lagbench.experiment.YamlNode.Sequence;
import org.lagbench.experiment.YamlNode.SourceLocation;

/**
 * Reads the parameters of one mapping and records their errors.
 *
 * @param prefix precedes each key in messages: the section with a dot; empty for the file itself
 */
record MappingReader(Mapping mapping, String prefix, Problems problems) implements Section.Keys {

    /** A value and what stands for it in the file; the mapping around it if it is a default. */
    record Placed<T>(YamlNode node, T value) {
        SourceLocation place() {
            return node.place();
        }

        /** Returns the location of a key of the value, or of the value if it does not have the key. */
        SourceLocation place(Parameter<?> key) {
            Entry entry = node instanceof Mapping mapping ? mapping.entries().get(key.name()) : null;
            return entry == null ? place() : entry.value().place();
        }
    }

    /** Returns a reader of the same mapping that ignores problems. */
    MappingReader quiet() {
        return new MappingReader(mapping, prefix, new Problems());
    }

    /** Returns a reader of a section; empty if the node is no mapping, which is a problem, as unknown keys are. */
    Optional<MappingReader> section(Parameter<?> section, YamlNode node, Collection<String> known) {
        if (node instanceof Mapping inner) {
            MappingReader reader = new MappingReader(inner, path(section) + ".", problems);
            reader.refuseUnknown(known);
            return Optional.of(reader);
        }
        problems.refuse(path(section), node, section.accepted());
        return Optional.empty();
    }

    /** Returns a reader of a section with these keys; empty if it is absent, {@code none}, or no mapping. */
    Optional<MappingReader> sectionUnlessNone(Parameter<?> section, Collection<String> known) {
        YamlNode node = node(section);
        return node == null || isWord(section, Parameter.NONE) ? Optional.empty() : section(section, node, known);
    }

    /** Refuses keys that do not exist. */
    void refuseUnknown(Collection<String> known) {
        mapping.entries().forEach((key, entry) -> {
            if (!known.contains(key)) {
                problems.add(
                        entry.keyPlace(),
                        () -> prefix + Scalar.shown(key) + ": there is no such key; "
                                + Suggestion.of(key, known)
                                        .map(name -> "did you mean " + prefix + name + "?")
                                        .orElseGet(() -> Suggestion.hint(key, known)));
            }
        });
    }

    /** Returns a parameter's value, or its default if the key is absent or its value is refused. */
    <T> T get(Parameter<T> parameter) {
        return get(parameter, Objects.requireNonNull(parameter.absent(), parameter.name()));
    }

    /** Returns a parameter's value, or this default if the key is absent or its value is refused. */
    <T> T get(Parameter<T> parameter, T absent) {
        return read(parameter).orElse(absent);
    }

    /** Returns a parameter's value; empty if the key is absent or its value invalid. */
    <T> Optional<T> read(Parameter<T> parameter) {
        YamlNode node = node(parameter);
        return node == null ? Optional.empty() : value(path(parameter), node, parameter, null);
    }

    /** Returns a parameter's value; empty if it is invalid, or the key is absent, which is a problem. */
    <T> Optional<T> require(Parameter<T> parameter) {
        if (!has(parameter)) {
            add(parameter, "it is missing; it takes " + parameter.accepted() + ".");
        }
        return read(parameter);
    }

    /** Returns the values of a list and where they are, without refused ones; the default if the key is absent. */
    <T> List<Placed<T>> list(Parameter<List<T>> list) {
        YamlNode node = node(list);
        if (node == null) {
            return Objects.requireNonNull(list.absent(), list.name()).stream()
                    .map(value -> new Placed<T>(mapping, value))
                    .toList();
        }
        return many(path(list), node, list);
    }

    /** Returns values without their locations. */
    static <T> List<T> values(List<Placed<T>> placed) {
        return placed.stream().map(Placed::value).toList();
    }

    /**
     * Reads a record and checks its values against each other.
     *
     * @param base has the values of absent and refused parameters; null for the parameters' own defaults
     * @param given values of parameters that are read elsewhere
     * @return empty if there is no base, and a value is invalid or a parameter without a default is absent
     */
    <R extends Record> Optional<R> record(Section<R> section, @Nullable R base, Map<Parameter<?>, Object> given) {
        List<Object> defaults = base == null ? List.of() : section.values(base);
        List<Object> values = new ArrayList<>();
        boolean isComplete = true;
        for (Parameter<?> parameter : section.parameters()) {
            Object absent = base == null ? parameter.absent() : defaults.get(values.size());
            Object value = given.containsKey(parameter) ? given.get(parameter) : component(parameter, absent);
            isComplete &= value != null;
            values.add(value == null ? "" : value);
        }
        if (!isComplete) {
            return Optional.empty();
        }
        R read = section.create(values);
        section.check(read, this);
        return Optional.of(read);
    }

    private @Nullable Object component(Parameter<?> parameter, @Nullable Object absent) {
        if (parameter.name().isEmpty()) {
            Section<?> section = parameter.section();
            return section != null
                    ? inner(section, absent).orElse(null)
                    : combinations(Objects.requireNonNull(
                            Objects.requireNonNull(parameter.element()).section()));
        }
        if (!has(parameter)) {
            return absent == null ? require(parameter).orElse(null) : absent;
        }
        Optional<?> value = value(path(parameter), Objects.requireNonNull(node(parameter)), parameter, absent);
        return value.isPresent() ? value.get() : absent;
    }

    /** Reads the records of all combinations of their parameters' values. */
    private List<?> combinations(Section<?> section) {
        return section.combinations(section.parameters().stream()
                .map(parameter -> values(list(parameter.list())))
                .toList());
    }

    @SuppressWarnings("unchecked") // the base of a section is its record
    private <R extends Record> Optional<R> inner(Section<R> section, @Nullable Object base) {
        return record(section, (R) base, Map.of());
    }

    @SuppressWarnings("unchecked") // the parameter is declared with this type
    private <T> Optional<T> value(String path, YamlNode node, Parameter<T> parameter, @Nullable Object base) {
        boolean isWord = node instanceof Scalar scalar && parameter.hasWord(scalar.text());
        if (parameter.element() != null && !isWord) {
            return Optional.of((T) values(many(path, node, parameter)));
        }
        Section<?> section = parameter.section();
        if (section != null && node instanceof Mapping inner) {
            MappingReader reader = new MappingReader(inner, path + ".", problems);
            reader.refuseUnknown(section.names());
            Optional<?> read =
                    reader.inner(section, base instanceof Optional<?> optional ? optional.orElse(null) : base);
            return (Optional<T>)
                    (parameter.absent() instanceof Optional && read.isPresent() ? Optional.of(read) : read);
        }
        if (node instanceof Scalar scalar && (scalar.text() != null || parameter.hasWord("null"))) {
            try {
                return Optional.of(parameter.parse(Objects.requireNonNullElse(scalar.text(), "null")));
            } catch (Parameter.Refusal e) {
                problems.add(node.place(), path + ": " + e.getMessage());
                return Optional.empty();
            } catch (IllegalArgumentException e) {
                // refused below
            }
        }
        problems.refuse(path, node, parameter.accepted());
        return Optional.empty();
    }

    /**
     * Reads the settings of a transport or an engine, each with one or several values; the defaults if the key is
     * absent.
     *
     * @param elsewhere the place of the settings in messages if the key is absent
     */
    <T extends Named> Placed<SettingAxes<T>> settings(T owner, Parameter<?> key, YamlNode elsewhere) {
        Entry entry = entry(key);
        List<String> names = ExperimentKeys.names(owner.settings());
        MappingReader absent = new MappingReader(new Mapping(elsewhere.place(), Map.of()), "", problems);
        YamlNode given = entry == null || entry.value().isNothing() ? absent.mapping : entry.value();
        MappingReader reader = absent.section(
                        Parameter.text(owner.name(), "settings: " + String.join(", ", names)), given, names)
                .orElse(absent);
        Map<String, List<String>> axes = new LinkedHashMap<>();
        owner.settings().forEach(setting -> axes.put(setting.name(), reader.texts(setting.list())));
        return new Placed<>(
                entry == null ? elsewhere : new Scalar(entry.keyPlace(), key.name()), new SettingAxes<>(owner, axes));
    }

    /** Returns the values of a setting as text. */
    <T> List<String> texts(Parameter<List<T>> setting) {
        return values(list(setting)).stream().map(Object::toString).toList();
    }

    /** Returns the node of a key, or the mapping if the key is absent. */
    YamlNode nodeOrThis(Parameter<?> key) {
        YamlNode node = node(key);
        return node == null ? mapping : node;
    }

    /** Reads one value, or a list of different values. Omits values that are refused. */
    @SuppressWarnings("unchecked") // the parameter is declared with this type
    private <E> List<Placed<E>> many(String path, YamlNode node, Parameter<?> list) {
        Parameter<E> element = ((Parameter<E>) Objects.requireNonNull(list.element())).accepting(list.accepted());
        List<Placed<E>> values = new ArrayList<>();
        Set<E> different = new HashSet<>();
        boolean mayRepeat = element.section() != null && List.of().equals(list.absent());
        for (YamlNode one : elements(path, node, list)) {
            value(path, one, element, null).ifPresent(value -> {
                if (different.add(value) || mayRepeat) {
                    values.add(new Placed<>(one, value));
                } else {
                    String what = one instanceof Mapping ? "this mapping" : one.found();
                    problems.add(one.place(), path + ": " + what + " is in the list twice.");
                }
            });
        }
        return values;
    }

    /**
     * Returns the elements of a list, or the node itself if it is not a list. Refuses an empty list without defaults.
     */
    List<YamlNode> elements(String path, YamlNode node, Parameter<?> list) {
        if (!(node instanceof Sequence sequence)) {
            return List.of(node);
        }
        if (sequence.elements().isEmpty() && !List.of().equals(list.absent())) {
            problems.refuse(path, node, list.accepted());
        }
        return sequence.elements();
    }

    /** Returns the node of a key; null if the key is absent. */
    @Nullable
    YamlNode node(Parameter<?> key) {
        Entry entry = entry(key);
        return entry == null ? null : entry.value();
    }

    /** Returns the key's location and its node; null if the key is absent. */
    @Nullable
    Entry entry(Parameter<?> key) {
        return mapping.entries().get(key.name());
    }

    @Override
    public boolean has(Parameter<?> key) {
        return mapping.entries().containsKey(key.name());
    }

    /** Returns whether the value of a key is this word. */
    boolean isWord(Parameter<?> key, String word) {
        return node(key) instanceof Scalar scalar && word.equals(scalar.text());
    }

    /** Returns whether a key has an accepted value that is not the default. */
    boolean isSet(Parameter<?> key) {
        return has(key)
                && quiet().read(key).map(value -> !value.equals(key.absent())).orElse(key.isYaml());
    }

    /** Returns the location in the experiment file at which the mapping begins. */
    SourceLocation place() {
        return mapping.place();
    }

    /** Returns the location of a key's value, or of the mapping if the key is absent. */
    SourceLocation place(Parameter<?> key) {
        return nodeOrThis(key).place();
    }

    /** Returns a key's name with its section. */
    String path(Parameter<?> key) {
        return prefix + key.name();
    }

    /** Adds a problem with a key's value, or with the mapping if the key is absent. */
    @Override
    public void add(Parameter<?> key, String sentence) {
        problems.add(place(key), path(key) + ": " + sentence);
    }

    /** Adds a problem with a key itself, at the key's location; the key must be present. */
    void addAtKey(Parameter<?> key, String sentence) {
        problems.add(Objects.requireNonNull(entry(key)).keyPlace(), path(key) + ": " + sentence);
    }
}
