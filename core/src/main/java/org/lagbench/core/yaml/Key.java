package org.lagbench.core.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.model.TextEnum;

/**
 * A key of a mapping in an experiment or network file.
 *
 * @param name as in the file
 * @param accepted the values it accepts, as part of a sentence
 * @param parser reads a value; throws IllegalArgumentException for a value that is not accepted
 */
record Key<T>(String name, String accepted, Function<String, T> parser) {
    private static final Pattern NUMBER = Pattern.compile("\\d{1,19}");

    /** Returns a key whose value is a list or a mapping, or is parsed elsewhere. */
    static Key<String> of(String name, String accepted) {
        return new Key<>(name, accepted, Function.identity());
    }

    /** Returns a key of a text that matches a pattern. */
    static Key<String> matching(Pattern pattern, String name, String accepted) {
        return new Key<>(name, accepted, text -> {
            if (!pattern.matcher(text).matches()) {
                throw new IllegalArgumentException(text + " does not match " + pattern);
            }
            return text;
        });
    }

    static Key<Long> number(String name, long minimum, long maximum) {
        return new Key<>(
                name, "a whole number from " + minimum + " to " + maximum, text -> parseNumber(text, minimum, maximum));
    }

    static Key<Integer> integer(String name, int minimum, int maximum) {
        return number(name, minimum, maximum).map(Long::intValue);
    }

    /** Returns a key of a length of time, in ns. */
    static Key<Long> time(String name, long minimumNs, long maximumNs) {
        return new Key<>(
                name,
                Intervals.accepted(minimumNs, maximumNs),
                text -> within(Intervals.parseNs(text), minimumNs, maximumNs));
    }

    static <E extends Enum<E> & TextEnum> Key<E> word(String name, Class<E> type) {
        return new Key<>(name, TextEnum.accepted(type), text -> TextEnum.parse(type, name, text));
    }

    <U> Key<U> map(Function<T, U> conversion) {
        return new Key<>(name, accepted, parser.andThen(conversion));
    }

    /** Returns a key that also accepts a word that stands for no value. */
    Key<Optional<T>> or(String word) {
        return new Key<>(
                name,
                accepted + ", or " + word,
                text -> text.equals(word) ? Optional.empty() : Optional.of(parser.apply(text)));
    }

    /** Returns the key and a value as a YAML mapping has them. */
    String yaml(Object value) {
        return name + ": " + value;
    }

    /** Returns a YAML mapping on one line. */
    static String mapping(List<String> entries) {
        return "{" + String.join(", ", entries) + "}";
    }

    static List<String> names(List<? extends Key<?>> keys) {
        return keys.stream().map(Key::name).toList();
    }

    /** Returns the accepted values of each key, by the key's name after a prefix. */
    static Map<String, String> accepted(String prefix, List<? extends Key<?>> keys) {
        Map<String, String> accepted = new LinkedHashMap<>();
        keys.forEach(key -> accepted.put(prefix + key.name(), key.accepted()));
        return accepted;
    }

    /** Reads a whole number within a range. */
    static long parseNumber(String text, long minimum, long maximum) {
        if (!NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " is not a whole number");
        }
        // Throws NumberFormatException, an IllegalArgumentException, for what a long does not hold.
        return within(Long.parseLong(text), minimum, maximum);
    }

    static long within(long number, long minimum, long maximum) {
        if (number < minimum || number > maximum) {
            throw new IllegalArgumentException(number + " is not from " + minimum + " to " + maximum);
        }
        return number;
    }
}
