package org.lagbench.core.settings;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Intervals;

/**
 * A setting of a transport or an engine.
 *
 * @param name as in the experiment file, lower case with hyphens: "send-buffer"
 * @param defaultText the default, as a user would write it
 * @param minimum least accepted number, for {@link Kind#INTEGER}, {@link Kind#BYTES} and, in ns, {@link Kind#TIME}
 * @param maximum greatest accepted number, likewise
 * @param words accepted words: all values of a {@link Kind#CHOICE}, alternatives to a number for the other kinds
 * @param description one sentence for the reference, with the unit
 */
public record SettingDefinition(
        String name,
        Kind kind,
        String defaultText,
        long minimum,
        long maximum,
        List<String> words,
        String description) {

    /** The word for the platform's choice. */
    public static final String AUTO = "auto";

    /** The word for a setting without a value. */
    public static final String NONE = "none";

    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,15}");
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,15})\\s*(B|KiB|MiB|GiB|kB|MB|GB)?");

    private static final Map<String, Long> UNIT_BYTES = Map.of(
            "B",
            1L,
            "KiB",
            1L << 10,
            "MiB",
            1L << 20,
            "GiB",
            1L << 30,
            "kB",
            1_000L,
            "MB",
            1_000_000L,
            "GB",
            1_000_000_000L);

    /** The kinds of values. */
    public enum Kind {
        /** A whole number. */
        INTEGER,
        /** A size in bytes, written 65536, 64KiB or 64kB. */
        BYTES,
        /** A length of time, written 100us or 1.5ms. */
        TIME,
        /** true or false. */
        FLAG,
        /** One of some words. */
        CHOICE,
        /** A name, whose existence depends on the machine. */
        NAME
    }

    public SettingDefinition {
        words = List.copyOf(words);
    }

    public static SettingDefinition integer(
            String name, long defaultValue, long minimum, long maximum, String description) {
        return new SettingDefinition(
                name, Kind.INTEGER, Long.toString(defaultValue), minimum, maximum, List.of(), description);
    }

    /** Returns a setting whose default is {@link #AUTO}. */
    public static SettingDefinition integerOrAuto(String name, long minimum, long maximum, String description) {
        return new SettingDefinition(name, Kind.INTEGER, AUTO, minimum, maximum, List.of(AUTO), description);
    }

    /** Returns a setting of a size. */
    public static SettingDefinition bytes(
            String name, long defaultValue, long minimum, long maximum, String description) {
        return new SettingDefinition(
                name, Kind.BYTES, Long.toString(defaultValue), minimum, maximum, List.of(), description);
    }

    /** Returns a setting whose default is {@link #AUTO}. */
    public static SettingDefinition bytesOrAuto(String name, long minimum, long maximum, String description) {
        return new SettingDefinition(name, Kind.BYTES, AUTO, minimum, maximum, List.of(AUTO), description);
    }

    /** Returns a setting whose default is {@link #NONE}. */
    public static SettingDefinition timeOrNone(String name, long minimumNs, long maximumNs, String description) {
        return new SettingDefinition(name, Kind.TIME, NONE, minimumNs, maximumNs, List.of(NONE), description);
    }

    public static SettingDefinition flag(String name, boolean defaultValue, String description) {
        return new SettingDefinition(
                name, Kind.FLAG, Boolean.toString(defaultValue), 0, 0, List.of("true", "false"), description);
    }

    /** Returns a setting whose default is {@link #AUTO}. */
    public static SettingDefinition nameOrAuto(String name, String description) {
        return new SettingDefinition(name, Kind.NAME, AUTO, 0, 0, List.of(AUTO), description);
    }

    public static SettingDefinition choice(String name, String defaultWord, List<String> words, String description) {
        return new SettingDefinition(name, Kind.CHOICE, defaultWord, 0, 0, words, description);
    }

    /**
     * Reads a value as a user writes it.
     *
     * @return a Long (numbers and sizes), a Boolean, or a String (one of {@link #words()}, a name, or a length of time
     *     in its largest unit)
     * @throws IllegalArgumentException if the value is not accepted; the message says what is
     */
    public Object parse(String text) {
        String trimmed = text.strip();
        if (words.contains(trimmed)) {
            return kind == Kind.FLAG ? (Object) Boolean.valueOf(trimmed) : trimmed;
        }
        if (kind == Kind.INTEGER || kind == Kind.BYTES) {
            Matcher matcher = NUMBER.matcher(trimmed);
            if (matcher.matches() && (kind == Kind.BYTES || matcher.group(2) == null)) {
                long unit = UNIT_BYTES.getOrDefault(matcher.group(2) == null ? "B" : matcher.group(2), 1L);
                long count = Long.parseLong(matcher.group(1));
                if (count <= maximum / unit && count * unit >= minimum) {
                    return count * unit;
                }
            }
        }
        if (kind == Kind.TIME) {
            long lengthNs = lengthNs(trimmed);
            if (lengthNs >= minimum && lengthNs <= maximum) {
                return Intervals.format(lengthNs);
            }
        }
        if (kind == Kind.NAME && NAME.matcher(trimmed).matches()) {
            return trimmed;
        }
        throw new IllegalArgumentException(
                name + ": \"" + trimmed + "\" is not accepted; it takes " + accepted() + ".");
    }

    /** Returns the accepted values as part of a sentence: "a size from 2048 to 1073741824 bytes, or auto". */
    public String accepted() {
        String alternatives = String.join(" or ", words);
        return switch (kind) {
            case FLAG, CHOICE -> alternatives;
            case NAME ->
                "a name of up to 15 lower case letters, digits, hyphens and underscores" + orWords(alternatives);
            case INTEGER -> "a whole number from " + minimum + " to " + maximum + orWords(alternatives);
            case TIME -> Intervals.accepted(minimum, maximum) + orWords(alternatives);
            case BYTES ->
                "a size from " + minimum + " to " + maximum + " bytes (64KiB, 64kB or plain)" + orWords(alternatives);
        };
    }

    /** Returns the ns of a length of time; 0 for another text. */
    private static long lengthNs(String text) {
        try {
            return Intervals.parseNs(text);
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private static String orWords(String alternatives) {
        return alternatives.isEmpty() ? "" : ", or " + alternatives;
    }
}
