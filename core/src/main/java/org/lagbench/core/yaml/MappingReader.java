package org.lagbench.core.yaml;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.yaml.ValueReader.Placed;
import org.lagbench.core.yaml.YamlNode.Entry;
import org.lagbench.core.yaml.YamlNode.Mapping;
import org.lagbench.core.yaml.YamlNode.Scalar;

/** Reads the keys of one mapping and records what is wrong with them. */
final class MappingReader {
    private final Mapping mapping;
    private final String prefix;
    private final Problems problems;
    private final ValueReader values;

    /**
     * Creates a reader of a mapping.
     *
     * @param prefix precedes each key in messages: the section with a dot; empty for the file itself
     */
    MappingReader(Mapping mapping, String prefix, Problems problems) {
        this.mapping = mapping;
        this.prefix = prefix;
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /**
     * Returns a reader of a section; empty if the node is no mapping. Adds a problem for that, and for unknown keys.
     */
    static Optional<MappingReader> ofSection(
            Key<?> section, YamlNode node, List<? extends Key<?>> known, Problems problems) {
        if (node instanceof Mapping mapping) {
            MappingReader reader = new MappingReader(mapping, section.name() + ".", problems);
            reader.refuseUnknown(Key.names(known));
            return Optional.of(reader);
        }
        problems.refuse(section.name(), node, section.accepted());
        return Optional.empty();
    }

    /** Refuses keys that do not exist. */
    void refuseUnknown(Collection<String> known) {
        mapping.entries().forEach((key, entry) -> {
            if (!known.contains(key)) {
                problems.add(
                        entry.keyPlace(),
                        () -> prefix + Scalar.shown(key) + ": there is no such key; " + NearestName.hint(key, known));
            }
        });
    }

    /** Returns a key's value, or the default if the key is absent or its value is refused. */
    <T> T get(Key<T> key, T defaultValue) {
        return find(key, defaultValue).orElse(defaultValue);
    }

    /** Returns a key's value, or the default if the key is absent; nothing if the value is refused. */
    <T> Optional<T> find(Key<T> key, T defaultValue) {
        return has(key) ? read(key) : Optional.of(defaultValue);
    }

    /** Returns a key's value; nothing if the key is absent or its value is refused. */
    <T> Optional<T> read(Key<T> key) {
        YamlNode node = node(key);
        return node == null ? Optional.empty() : values.one(path(key), node, key);
    }

    /** Returns a key's values, or the default if the key is absent; without refused values. */
    <T> List<T> list(Key<T> key, T defaultValue) {
        YamlNode node = node(key);
        return node == null
                ? List.of(defaultValue)
                : values.many(path(key), node, key).stream().map(Placed::value).toList();
    }

    /** Returns the node of a key; null if the key is absent. */
    @Nullable
    YamlNode node(Key<?> key) {
        Entry entry = entry(key);
        return entry == null ? null : entry.value();
    }

    /** Returns the key's location and its node; null if the key is absent. */
    @Nullable
    Entry entry(Key<?> key) {
        return mapping.entries().get(key.name());
    }

    boolean has(Key<?> key) {
        return mapping.entries().containsKey(key.name());
    }

    /** Returns the location in the experiment file at which the mapping begins. */
    SourceLocation place() {
        return mapping.place();
    }

    /** Returns the location of a key's value, or of the mapping if the key is absent. */
    SourceLocation place(Key<?> key) {
        YamlNode node = node(key);
        return node == null ? place() : node.place();
    }

    /** Returns a key's name with its section. */
    String path(Key<?> key) {
        return prefix + key.name();
    }

    /** Adds a problem with a key's value, or with the mapping if the key is absent. */
    void add(Key<?> key, String sentence) {
        problems.add(place(key), path(key) + ": " + sentence);
    }

    /** Adds a problem with a key itself, at the key's location; the key must be present. */
    void addAtKey(Key<?> key, String sentence) {
        problems.add(Objects.requireNonNull(entry(key)).keyPlace(), path(key) + ": " + sentence);
    }
}
