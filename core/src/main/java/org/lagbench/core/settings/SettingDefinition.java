package org.lagbench.core.settings;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.time.Intervals;

/**
 * One setting of a transport: its name, what it accepts, its default.
 *
 * @param name as in the experiment file, lower case with hyphens: "send-buffer"
 * @param kind what its values are
 * @param defaultText the default, as a user would write it
 * @param minimum least number accepted, for {@link Kind#INTEGER}, {@link Kind#BYTES} and, in ns, {@link Kind#TIME}
 * @param maximum greatest number accepted, likewise
 * @param words words accepted: all that there are for {@link Kind#CHOICE}, in place of a number for the others ("auto",
 *     "none")
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

    /** The word that leaves the choice to the platform. */
    public static final String AUTO = "auto";

    /** The word that leaves a thing out. */
    public static final String NONE = "none";

    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,15}");
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,15})\\s*(B|KiB|MiB|GiB|kB|MB|GB)?");

    /** What the values of a setting are. */
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
        /** A name that this machine may know or not. */
        NAME
    }

    public SettingDefinition {
        words = List.copyOf(words);
    }

    /** A whole number. */
    public static SettingDefinition integer(
            String name, long defaultValue, long minimum, long maximum, String description) {
        return new SettingDefinition(
                name, Kind.INTEGER, Long.toString(defaultValue), minimum, maximum, List.of(), description);
    }

    /** A whole number or {@link #AUTO}, which is the default. */
    public static SettingDefinition integerOrAuto(String name, long minimum, long maximum, String description) {
        return new SettingDefinition(name, Kind.INTEGER, AUTO, minimum, maximum, List.of(AUTO), description);
    }

    /** A size in bytes or {@link #AUTO}, which is the default. */
    public static SettingDefinition bytesOrAuto(String name, long minimum, long maximum, String description) {
        return new SettingDefinition(name, Kind.BYTES, AUTO, minimum, maximum, List.of(AUTO), description);
    }

    /** A length of time, its range in ns, or {@link #NONE}, which is the default. */
    public static SettingDefinition timeOrNone(String name, long minimumNs, long maximumNs, String description) {
        return new SettingDefinition(name, Kind.TIME, NONE, minimumNs, maximumNs, List.of(NONE), description);
    }

    /** True or false. */
    public static SettingDefinition flag(String name, boolean defaultValue, String description) {
        return new SettingDefinition(
                name, Kind.FLAG, Boolean.toString(defaultValue), 0, 0, List.of("true", "false"), description);
    }

    /** A name, of lower case letters, digits, hyphen and underscore, or {@link #AUTO}, which is the default. */
    public static SettingDefinition nameOrAuto(String name, String description) {
        return new SettingDefinition(name, Kind.NAME, AUTO, 0, 0, List.of(AUTO), description);
    }

    /** One of some words. */
    public static SettingDefinition choice(String name, String defaultWord, List<String> words, String description) {
        return new SettingDefinition(name, Kind.CHOICE, defaultWord, 0, 0, words, description);
    }

    /**
     * Reads a value as a user writes it.
     *
     * @return a Long (numbers and sizes), a Boolean, or a String (one of {@link #words()}, a name, or a length of time
     *     in its greatest unit)
     * @throws IllegalArgumentException if the setting does not accept it; the message says what it accepts
     */
    public Object parse(String text) {
        String trimmed = text.strip();
        if (words.contains(trimmed)) {
            return kind == Kind.FLAG ? (Object) Boolean.valueOf(trimmed) : trimmed;
        }
        if (kind == Kind.INTEGER || kind == Kind.BYTES) {
            Matcher matcher = NUMBER.matcher(trimmed);
            if (matcher.matches() && (kind == Kind.BYTES || matcher.group(2) == null)) {
                String unit = matcher.group(2) == null ? "B" : matcher.group(2);
                long count = Long.parseLong(matcher.group(1));
                if (count <= maximum / bytesIn(unit) && count * bytesIn(unit) >= minimum) {
                    return count * bytesIn(unit);
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

    /** What the setting accepts, as part of a sentence: "a size from 2048 to 1073741824 bytes, or auto". */
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

    /** 0 for what is no length of time. */
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

    private static long bytesIn(String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "kib" -> 1L << 10;
            case "mib" -> 1L << 20;
            case "gib" -> 1L << 30;
            case "kb" -> 1_000L;
            case "mb" -> 1_000_000L;
            case "gb" -> 1_000_000_000L;
            default -> 1L;
        };
    }
}
