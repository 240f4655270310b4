package org.lagbench.core.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.text.ForeignText;

/**
 * The one declaration of a parameter: of an experiment, a network, a transport or an engine. Files, command lines,
 * messages of peers, records of runs and reference pages are read, checked and written by it. Immutable.
 *
 * @param <T> the type of its values
 */
public final class Parameter<T> {
    /** The word for the platform's choice. */
    public static final String AUTO = "auto";

    /** The word for no value. */
    public static final String NONE = "none";

    private static final int MAXIMUM_CHARACTERS_SHOWN = 60;
    private static final Pattern SHORT_NAME = Pattern.compile("[a-z0-9_-]{1,15}");

    private final String name;
    private final String accepted;
    private final Range range;
    private final Function<String, T> parser;
    private final Function<T, String> formatter;
    private final @Nullable T absent;
    private final @Nullable Parameter<?> element;
    private final @Nullable Section<?> section;
    private final String description;

    /** The smallest and the largest number. */
    public record Range(long minimum, long maximum) {
        /** The range of what is no number. */
        public static final Range NONE = new Range(0, 0);
    }

    private Parameter(
            String name,
            String accepted,
            Range range,
            Function<String, T> parser,
            Function<T, String> formatter,
            @Nullable T absent,
            @Nullable Parameter<?> element,
            @Nullable Section<?> section,
            String description) {
        this.name = name;
        this.accepted = accepted;
        this.range = range;
        this.parser = parser;
        this.formatter = formatter;
        this.absent = absent;
        this.element = element;
        this.section = section;
        this.description = description;
    }

    /**
     * Declares a parameter.
     *
     * @param name as in files, lower case with hyphens: "send-buffer"
     * @param accepted the accepted values as part of a sentence: "a whole number from 1 to 64"
     * @param parser returns the value that a text stands for; throws IllegalArgumentException if it is not accepted
     * @param formatter returns a value as a user would write it
     */
    public static <T> Parameter<T> of(
            String name, String accepted, Function<String, T> parser, Function<T, String> formatter) {
        return new Parameter<>(name, accepted, Range.NONE, parser, formatter, null, null, null, "");
    }

    private static Parameter<Long> ranged(
            String name,
            String accepted,
            Range range,
            Function<String, Long> parser,
            Function<Long, String> formatter) {
        return new Parameter<>(name, accepted, range, parser, formatter, null, null, null, "");
    }

    /** Declares a text, or what another reader parses. */
    public static Parameter<String> text(String name, String accepted) {
        return of(name, accepted, Function.identity(), Function.identity());
    }

    /** Declares a text that matches a pattern. */
    public static Parameter<String> text(String name, Pattern pattern, String accepted) {
        return of(
                name,
                accepted,
                text -> {
                    require(pattern.matcher(text).matches(), text);
                    return text;
                },
                Function.identity());
    }

    /** Declares a name whose existence depends on the machine. */
    public static Parameter<String> name(String name) {
        return text(name, SHORT_NAME, "a name of up to 15 lower case letters, digits, hyphens and underscores");
    }

    /** Declares a whole number. */
    public static Parameter<Long> number(String name, long minimum, long maximum) {
        return ranged(
                name,
                "a whole number from " + minimum + " to " + maximum,
                new Range(minimum, maximum),
                text -> Quantities.parseNumber(text, minimum, maximum),
                Object::toString);
    }

    public static Parameter<Integer> integer(String name, int minimum, int maximum) {
        return number(name, minimum, maximum).map(Long::intValue, Integer::longValue);
    }

    /** Declares a size in bytes, written 65536, 64KiB or 64kB. */
    public static Parameter<Long> bytes(String name, long minimum, long maximum) {
        return ranged(
                name,
                "a size from " + minimum + " to " + maximum + " bytes (64KiB, 64kB or plain)",
                new Range(minimum, maximum),
                text -> Quantities.parseBytes(text, minimum, maximum),
                Object::toString);
    }

    /** Declares a length of time in ns, written 100us or 1.5ms. */
    public static Parameter<Long> time(String name, long minimumNs, long maximumNs) {
        return ranged(
                name,
                Intervals.accepted(minimumNs, maximumNs),
                new Range(minimumNs, maximumNs),
                text -> Quantities.within(Intervals.parseNs(text), minimumNs, maximumNs),
                Intervals::format);
    }

    /** Declares a length of time. */
    public static Parameter<Duration> duration(String name, Duration minimum, Duration maximum) {
        return time(name, minimum.toNanos(), maximum.toNanos()).map(Duration::ofNanos, Duration::toNanos);
    }

    /** Declares true or false. */
    public static Parameter<Boolean> flag(String name, boolean absent) {
        return choice(name, List.of("true", "false"))
                .map(Boolean::valueOf, Object::toString)
                .byDefault(absent);
    }

    /** Declares one of some words. */
    public static Parameter<String> choice(String name, List<String> words) {
        return of(
                name,
                String.join(" or ", words),
                text -> {
                    require(words.contains(text.strip()), text);
                    return text.strip();
                },
                Function.identity());
    }

    /** Declares one of the constants of an enum. */
    public static <E extends Enum<E> & TextEnum> Parameter<E> word(String name, Class<E> type) {
        return of(name, TextEnum.accepted(type), text -> TextEnum.parse(type, name, text), TextEnum::text);
    }

    /** Declares a mapping. If the name is empty, its keys stand in the mapping around it. */
    public static <R extends Record> Parameter<R> section(String name, Section<R> section) {
        return new Parameter<>(
                name,
                "a mapping of " + String.join(", ", section.names()),
                Range.NONE,
                text -> {
                    throw new IllegalArgumentException(text + " is not a mapping");
                },
                Object::toString,
                null,
                null,
                section,
                "");
    }

    /** Returns this parameter with a default. */
    public Parameter<T> byDefault(T value) {
        return new Parameter<>(name, accepted, range, parser, formatter, value, element, section, description);
    }

    /** Returns this parameter with one or two sentences for people, which begin with what it is, with its unit. */
    public Parameter<T> described(String sentences) {
        return new Parameter<>(name, accepted, range, parser, formatter, absent, element, section, sentences);
    }

    /** Returns this parameter with another phrase for its accepted values. */
    public Parameter<T> accepting(String phrase) {
        return new Parameter<>(name, phrase, range, parser, formatter, absent, element, section, description);
    }

    /** Returns this parameter with another name. */
    public Parameter<T> named(String other) {
        return new Parameter<>(other, accepted, range, parser, formatter, absent, element, section, description);
    }

    /** Returns this parameter with values of another type. */
    public <U> Parameter<U> map(Function<T, U> conversion, Function<U, T> back) {
        return new Parameter<>(
                name,
                accepted,
                range,
                parser.andThen(conversion),
                back.andThen(formatter),
                absent == null ? null : conversion.apply(absent),
                null,
                section,
                description);
    }

    /** Returns this parameter with a word that stands for no value, which is the default. */
    public Parameter<Optional<T>> or(String word) {
        return new Parameter<>(
                name,
                accepted + ", or " + word,
                range,
                text -> text.strip().equals(word) ? Optional.empty() : Optional.of(parser.apply(text)),
                value -> value.map(formatter).orElse(word),
                Optional.empty(),
                null,
                section,
                description);
    }

    /** Returns this parameter with no value as its default, which a file shows by leaving the key out. */
    public Parameter<Optional<T>> optional() {
        return or("").accepting(accepted);
    }

    /**
     * Returns this parameter as a setting, whose values are a Long, a Boolean or a String: a word that it also accepts
     * is the default and a value itself.
     */
    public Parameter<Object> orWord(String word) {
        return new Parameter<>(
                name,
                accepted + ", or " + word,
                range,
                text -> text.strip().equals(word) ? word : parser.apply(text),
                Object::toString,
                word,
                null,
                null,
                description);
    }

    /** Returns this parameter with its values as text in one form: 1000us is 1ms. */
    public Parameter<String> asText() {
        return map(formatter, parser);
    }

    /** Returns a parameter of one of these values or a list of these. */
    public Parameter<List<T>> list() {
        return new Parameter<>(
                name,
                accepted + ", or a list of these",
                range,
                text -> List.of(parser.apply(text)),
                values -> values.stream().map(formatter).toList().toString(),
                absent == null ? null : List.of(absent),
                this,
                null,
                description);
    }

    public String name() {
        return name;
    }

    /** Returns the accepted values as part of a sentence: "a size from 2048 to 1073741824 bytes, or auto". */
    public String accepted() {
        return accepted;
    }

    /** Returns the range of a number, a size in bytes or a length of time in ns; {@link Range#NONE} for others. */
    public Range range() {
        return range;
    }

    /** Returns the default; null if there is none, or it depends on other parameters. */
    public @Nullable T absent() {
        return absent;
    }

    /** Returns the default; there must be one. */
    public T defaultValue() {
        return Objects.requireNonNull(absent, name);
    }

    /** Returns the default as a user would write it; empty if there is none. */
    public String absentText() {
        return absent == null ? "" : format(absent);
    }

    public String description() {
        return description;
    }

    /** Returns what each value of a list is; null if the parameter has one value. */
    public @Nullable Parameter<?> element() {
        return element;
    }

    /** Returns the parameters of a mapping; null if the value is a text. */
    public @Nullable Section<?> section() {
        return section;
    }

    /**
     * Reads a value as a user writes it.
     *
     * @throws IllegalArgumentException if it is not accepted; the message says what is
     */
    public T parse(String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + ": \"" + text.strip() + "\" is not accepted; it takes " + accepted + ".", e);
        }
    }

    /** Returns whether a text is accepted. */
    public boolean accepts(String text) {
        try {
            return parser.apply(text) != null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns a value as a user would write it. */
    public String format(T value) {
        return formatter.apply(value);
    }

    /**
     * Checks a value that did not come from a text, as one of a peer's message.
     *
     * @return the value
     * @throws IllegalArgumentException if it is out of range; the message says what is accepted, without a period
     */
    public T check(T value) {
        String text = "";
        try {
            text = format(value);
            parse(text);
            return value;
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    name + ": " + ForeignText.line(text, MAXIMUM_CHARACTERS_SHOWN) + " is not accepted; it takes "
                            + accepted,
                    e);
        }
    }

    /** Returns the name and a value as a mapping in YAML has them. */
    public String yaml(T value) {
        return name + ": " + format(value);
    }

    /** Returns whether another object declares the same parameter. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Parameter<?> parameter
                && name.equals(parameter.name)
                && accepted.equals(parameter.accepted)
                && description.equals(parameter.description)
                && absentText().equals(parameter.absentText());
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }

    private static void require(boolean isAccepted, String text) {
        if (!isAccepted) {
            throw new IllegalArgumentException("\"" + text + "\" is not accepted");
        }
    }
}
