package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lagbench.core.model.Named;
import org.lagbench.core.model.Registry;
import org.lagbench.core.yaml.YamlNode.Scalar;
import org.lagbench.core.yaml.YamlNode.Sequence;

/** Reads values from nodes and records those that a key does not accept. */
final class ValueReader {
    private final Problems problems;

    ValueReader(Problems problems) {
        this.problems = problems;
    }

    /** A value and its location. */
    record Placed<T>(SourceLocation place, T value) {}

    /**
     * Reads a single value; nothing if it was refused.
     *
     * @param path the key with its section, for messages
     */
    <T> Optional<T> one(String path, YamlNode node, Key<T> key) {
        if (node instanceof Scalar scalar && scalar.text() != null) {
            try {
                return Optional.of(key.parser().apply(scalar.text()));
            } catch (IllegalArgumentException e) {
                // refused below
            }
        }
        problems.refuse(path, node, key.accepted());
        return Optional.empty();
    }

    /** Reads one value, or a list of different values. Omits values that are refused. */
    <T> List<Placed<T>> many(String path, YamlNode node, Key<T> key) {
        List<Placed<T>> values = new ArrayList<>();
        Set<T> different = new HashSet<>();
        for (YamlNode element : elements(path, node, key.accepted())) {
            one(path, element, key).ifPresent(value -> {
                if (different.add(value)) {
                    values.add(new Placed<>(element.place(), value));
                } else {
                    problems.add(element.place(), path + ": " + element.found() + " is in the list twice.");
                }
            });
        }
        return values;
    }

    /**
     * Reads one name, or a list of different names. Omits unknown names.
     *
     * @param kind what a name is the name of, for messages: "an engine"
     */
    <T extends Named> List<Placed<T>> named(Key<String> key, YamlNode node, String kind, Registry<T> registry) {
        List<Placed<T>> known = new ArrayList<>();
        Key<String> one = Key.of(key.name(), "one or several of " + String.join(", ", registry.names()));
        for (Placed<String> name : many(key.name(), node, one)) {
            registry.find(name.value())
                    .ifPresentOrElse(
                            entry -> known.add(new Placed<>(name.place(), entry)),
                            () -> problems.add(
                                    name.place(),
                                    key.name() + ": " + Scalar.quote(name.value()) + " is not " + kind + "; "
                                            + (name.value().contains(",")
                                                    ? Problems.LIST_HINT
                                                    : NearestName.hint(name.value(), registry.names()))));
        }
        return known;
    }

    /** Returns the elements of a list, or the node itself if it is not a list. Refuses an empty list. */
    List<YamlNode> elements(String path, YamlNode node, String accepted) {
        if (node instanceof Sequence sequence) {
            if (sequence.elements().isEmpty()) {
                problems.refuse(path, node, accepted);
            }
            return sequence.elements();
        }
        return List.of(node);
    }
}
