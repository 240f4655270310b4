package org.lagbench.core.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.experiment.YamlNode.Sequence;

/**
 * Reads values out of nodes and notes those that are refused. A parser gets the text of a value and throws
 * IllegalArgumentException for what the key does not take.
 */
final class ValueReader {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,19}");

    private final Problems problems;

    ValueReader(Problems problems) {
        this.problems = problems;
    }

    /** A value and where it stands. */
    record Placed<T>(SourceLocation place, T value) {}

    /** Reads a single value; nothing if it was refused. */
    <T> Optional<T> one(String key, YamlNode node, String accepted, Function<String, T> parser) {
        if (node instanceof Scalar scalar && scalar.text() != null) {
            try {
                return Optional.of(parser.apply(scalar.text()));
            } catch (IllegalArgumentException e) {
                problems.refuse(key, node, accepted);
                return Optional.empty();
            }
        }
        problems.refuse(key, node, accepted);
        return Optional.empty();
    }

    /** Reads one value or a list of different ones; without those that were refused. */
    <T> List<Placed<T>> many(String key, YamlNode node, String accepted, Function<String, T> parser) {
        List<Placed<T>> values = new ArrayList<>();
        Set<T> different = new HashSet<>();
        for (YamlNode element : elements(key, node, accepted)) {
            one(key, element, accepted, parser).ifPresent(value -> {
                if (different.add(value)) {
                    values.add(new Placed<>(element.place(), value));
                } else {
                    problems.add(element.place(), key + ": " + element.found() + " is in the list twice.");
                }
            });
        }
        return values;
    }

    /** The elements of a list, or the node itself if it is none. An empty list is refused. */
    List<YamlNode> elements(String key, YamlNode node, String accepted) {
        if (node instanceof Sequence sequence) {
            if (sequence.elements().isEmpty()) {
                problems.refuse(key, node, accepted);
            }
            return sequence.elements();
        }
        return List.of(node);
    }

    /**
     * Refuses keys that do not exist.
     *
     * @param section what the mapping is the value of, with a dot; empty for the file itself
     */
    void refuseUnknown(Mapping mapping, String section, Collection<String> known) {
        mapping.entries().forEach((key, entry) -> {
            if (!known.contains(key)) {
                problems.add(
                        entry.keyPlace(),
                        () -> section + Scalar.shown(key) + ": there is no such key; " + NearestName.hint(key, known));
            }
        });
    }

    /** Reads a whole number within a range. */
    static long number(String text, long minimum, long maximum) {
        if (NUMBER.matcher(text).matches()) {
            // Throws NumberFormatException, an IllegalArgumentException, for what a long does not hold.
            long number = Long.parseLong(text);
            if (number >= minimum && number <= maximum) {
                return number;
            }
        }
        throw new IllegalArgumentException(text + " is not a whole number from " + minimum + " to " + maximum);
    }
}
