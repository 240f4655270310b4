package org.lagbench.core.model;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.text.Endpoint;

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

    private final Function<String, T> parser;
    private final Function<T, String> formatter;
    private String name;
    private String accepted;
    private Range range = Range.NONE;
    private @Nullable T absent;
    private @Nullable Parameter<?> element;
    private @Nullable Section<?> section;
    private @Nullable String word;
    private boolean isYaml;
    private boolean isTime;
    private boolean namesHost;
    private String description = "";

    /** The smallest and the largest number. */
    public record Range(@Key("from") long minimum, @Key("to") long maximum) {
        /** The range of values that are not numbers. */
        public static final Range NONE = new Range(0, 0);
    }

    /** Rejects a value with its own reason, a sentence, instead of the list of accepted values. */
    public static final class Refusal extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        public Refusal(String sentence) {
            super(sentence);
        }
    }

    private Parameter(String name, String accepted, Function<String, T> parser, Function<T, String> formatter) {
        this.name = name;
        this.accepted = accepted;
        this.parser = parser;
        this.formatter = formatter;
    }

    /** Returns a parameter with values of another type, which has neither a default nor a word. */
    private <U> Parameter<U> like(Function<String, U> otherParser, Function<U, String> otherFormatter) {
        Parameter<U> copy = new Parameter<>(name, accepted, otherParser, otherFormatter);
        copy.range = range;
        copy.section = section;
        copy.isYaml = isYaml;
        copy.isTime = isTime;
        copy.namesHost = namesHost;
        copy.description = description;
        return copy;
    }

    /**
     * Returns this parameter with another conversion to and from text, and with a change that is made before it is
     * used.
     */
    private Parameter<T> with(
            Function<String, T> otherParser, Function<T, String> otherFormatter, Consumer<Parameter<T>> change) {
        Parameter<T> copy = like(otherParser, otherFormatter);
        copy.absent = absent;
        copy.element = element;
        copy.word = word;
        change.accept(copy);
        return copy;
    }

    private Parameter<T> with(Consumer<Parameter<T>> change) {
        return with(parser, formatter, change);
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
        return new Parameter<>(name, accepted, parser, formatter);
    }

    /**
     * Declares a key whose value another reader parses.
     *
     * @param formatter returns a value in YAML; an empty text if a file leaves the key out
     */
    public static <T> Parameter<T> yaml(String name, String accepted, Function<T, String> formatter) {
        Function<String, T> none = text -> {
            throw new IllegalArgumentException("\"" + text + "\" is not accepted");
        };
        return of(name, accepted, none, formatter).with(parameter -> parameter.isYaml = true);
    }

    /** Declares a text. */
    public static Parameter<String> text(String name, String accepted) {
        return of(name, accepted, Function.identity(), Function.identity());
    }

    /** Declares the address and port of another host, to which this one sends. */
    public static Parameter<Endpoint> endpoint(String name) {
        return of(name, Endpoint.ACCEPTED, Endpoint::parse, Endpoint::toString).namingHost();
    }

    /** Declares a text that matches a pattern. */
    public static Parameter<String> text(String name, Pattern pattern, String accepted) {
        return text(name, pattern.asMatchPredicate(), accepted);
    }

    private static Parameter<String> text(String name, Predicate<String> isAccepted, String accepted) {
        Function<String, String> parser = text -> Optional.of(text)
                .filter(isAccepted)
                .orElseThrow(() -> new IllegalArgumentException("\"" + text + "\" is not accepted"));
        return of(name, accepted, parser, Function.identity());
    }

    /** Declares a name whose existence depends on the machine. */
    public static Parameter<String> name(String name) {
        return text(name, SHORT_NAME, "a name of up to 15 lower case letters, digits, hyphens and underscores");
    }

    /** Declares a whole number. */
    public static Parameter<Long> number(String name, long minimum, long maximum) {
        return of(
                        name,
                        "a whole number from " + minimum + " to " + maximum,
                        text -> Quantities.parseNumber(text, minimum, maximum),
                        Object::toString)
                .within(minimum, maximum);
    }

    public static Parameter<Integer> integer(String name, int minimum, int maximum) {
        return number(name, minimum, maximum).map(Long::intValue, Integer::longValue);
    }

    /** Declares a size in bytes, written 65536, 64KiB or 64kB. */
    public static Parameter<Long> bytes(String name, long minimum, long maximum) {
        return of(
                        name,
                        "a size from " + minimum + " to " + maximum + " bytes (64KiB, 64kB or plain)",
                        text -> Quantities.parseBytes(text, minimum, maximum),
                        Object::toString)
                .within(minimum, maximum);
    }

    /** Declares a length of time in ns, written 100us or 1.5ms. */
    public static Parameter<Long> time(String name, long minimumNs, long maximumNs) {
        return of(
                        name,
                        Durations.accepted(minimumNs, maximumNs),
                        text -> Quantities.within(Durations.parseNs(text), minimumNs, maximumNs),
                        Durations::format)
                .within(minimumNs, maximumNs)
                .with(parameter -> parameter.isTime = true);
    }

    private Parameter<T> within(long minimum, long maximum) {
        return with(parameter -> parameter.range = new Range(minimum, maximum));
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
        return text(name, text -> words.contains(text.strip()), String.join(" or ", words))
                .map(String::strip, Function.identity());
    }

    /** Declares one of the constants of an enum. */
    public static <E extends Enum<E> & TextEnum> Parameter<E> word(String name, Class<E> type) {
        return of(name, TextEnum.accepted(type), text -> TextEnum.parse(type, name, text), TextEnum::text);
    }

    /**
     * Declares a mapping. If the name is empty, its keys are keys of the enclosing mapping. Each key of a
     * {@link #list()} accepts one or several values, and the list has all combinations.
     */
    public static <R extends Record> Parameter<R> section(String name, Section<R> section) {
        return Parameter.<R>yaml(name, "a mapping of " + String.join(", ", section.names()), Object::toString)
                .with(parameter -> {
                    parameter.section = section;
                    parameter.isYaml = false;
                });
    }

    /** Returns this parameter with a default. */
    public Parameter<T> byDefault(T value) {
        return with(parameter -> parameter.absent = value);
    }

    /** Returns this parameter with a description of one or two sentences, which begins with its meaning and unit. */
    public Parameter<T> described(String sentences) {
        return with(parameter -> parameter.description = sentences);
    }

    /**
     * Returns this parameter as one that names another host, to which this one sends. What a session of another author
     * connects to is derived from this.
     */
    public Parameter<T> namingHost() {
        return with(parameter -> parameter.namesHost = true);
    }

    /** Returns this parameter with another phrase for its accepted values. */
    public Parameter<T> accepting(String phrase) {
        return with(parameter -> parameter.accepted = phrase);
    }

    /** Returns this parameter with another name. */
    public Parameter<T> named(String other) {
        return with(parameter -> parameter.name = other);
    }

    /** Returns this parameter with values of another type. */
    public <U> Parameter<U> map(Function<T, U> conversion, Function<U, T> back) {
        Parameter<U> mapped = like(parser.andThen(conversion), back.andThen(formatter));
        mapped.absent = absent == null ? null : conversion.apply(absent);
        return mapped;
    }

    /** Returns this parameter with a word that stands for one of its values: "flood" for the pace without intervals. */
    public Parameter<T> orWord(String other, T value) {
        return with(
                text -> text.strip().equals(other) ? value : parser.apply(text),
                given -> given.equals(value) ? other : formatter.apply(given),
                parameter -> {
                    parameter.accepted = accepted + ", or " + other;
                    parameter.word = other;
                });
    }

    /** Returns this parameter with a word that stands for no value, which is the default. */
    public Parameter<Optional<T>> or(String other) {
        return map(Optional::of, Optional<T>::orElseThrow)
                .orWord(other, Optional.empty())
                .byDefault(Optional.empty());
    }

    /** Returns this parameter with no value as its default, which a file shows by leaving the key out. */
    public Parameter<Optional<T>> optional() {
        return or("").accepting(accepted);
    }

    /**
     * Returns this parameter as a setting, whose values are a Long, a Boolean or a String: a word that it also accepts
     * is the default and a value itself.
     */
    public Parameter<Object> orWord(String other) {
        return this.<Object>like(parser::apply, Object::toString)
                .orWord(other, other)
                .byDefault(other);
    }

    /** Returns this parameter with its values as text in one form: 1000us is 1ms. */
    public Parameter<String> asText() {
        return map(formatter, parser);
    }

    /** Returns a parameter that accepts one value of this parameter or a list of values. */
    public Parameter<List<T>> list() {
        Parameter<List<T>> list = of(
                name,
                accepted + ", or a list of these",
                text -> List.of(parser.apply(text)),
                values -> values.stream().map(formatter).toList().toString());
        list.range = range;
        list.absent = absent == null ? null : List.of(absent);
        list.element = this;
        list.namesHost = namesHost;
        list.description = description;
        return list;
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

    /** Returns whether a value is a length of time, written with its unit. */
    public boolean isTime() {
        return isTime;
    }

    /** Returns whether a value names another host, to which this one sends. */
    public boolean namesHost() {
        return namesHost;
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

    /** Returns the parameter of each value of a list; null if this parameter has one value. */
    public @Nullable Parameter<?> element() {
        return element;
    }

    /** Returns the parameters of a mapping; null if the value is a text. */
    public @Nullable Section<?> section() {
        return section;
    }

    /** Returns whether a file contains a word for this value instead of a mapping or a list. */
    public boolean isWord(T value) {
        return word != null && format(value).equals(word);
    }

    /** Returns whether a text is the word that stands for a value. */
    public boolean hasWord(@Nullable String text) {
        return text != null && text.strip().equals(word);
    }

    /** Returns whether values are formatted as YAML; else they are formatted as text. */
    public boolean isYaml() {
        return isYaml;
    }

    /**
     * Reads a value as a user writes it.
     *
     * @throws IllegalArgumentException if it is not accepted; the message says what is
     */
    public T parse(String text) {
        try {
            return parser.apply(text);
        } catch (Refusal e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + ": \"" + text.strip() + "\" is not accepted; it takes " + accepted + ".", e);
        }
    }

    /** Returns a value as a user would write it. */
    public String format(T value) {
        return formatter.apply(value);
    }

    /**
     * Checks a value that was not parsed from text, such as one in a peer's message.
     *
     * @return the value
     * @throws IllegalArgumentException if it is out of range; the message lists what is accepted, without a period
     */
    public T check(T value) {
        String text = "";
        try {
            text = format(value);
            parse(text);
            return value;
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    name + ": " + UntrustedText.line(text, MAXIMUM_CHARACTERS_SHOWN) + " is not accepted; it takes "
                            + accepted,
                    e);
        }
    }

    /** Returns the name and a value as a mapping in YAML has them. */
    public String yaml(T value) {
        return name + ": " + format(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
