package org.lagbench.core.model;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whole numbers, sizes, rates and shares as users write them. Parsers throw IllegalArgumentException. */
public final class Quantities {
    /** The word for a rate without a limit. */
    static final String UNLIMITED = "unlimited";

    /** Millionths per hundredth. */
    public static final long PPM_PER_PERCENT = 10_000;

    private static final Pattern RATE_TEXT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*(k|m|g)bit(?:/s)?");
    private static final Pattern SHARE_TEXT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,4})?)\\s*%");
    private static final Map<String, Long> BIT_UNITS = Map.of("k", 1_000L, "m", 1_000_000L, "g", 1_000_000_000L);
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,19})\\s*(B|KiB|MiB|GiB|kB|MB|GB)?");

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

    private Quantities() {}

    /** Returns the whole number that a text stands for, if it is in a range. */
    public static long parseNumber(String text, long minimum, long maximum) {
        return parseNumber(text, false, minimum, maximum);
    }

    /** Returns the bytes of a size, written 65536, 64KiB or 64kB, if they are in a range. */
    public static long parseBytes(String text, long minimum, long maximum) {
        return parseNumber(text, true, minimum, maximum);
    }

    private static long parseNumber(String text, boolean isSize, long minimum, long maximum) {
        Matcher matcher = NUMBER.matcher(text.strip());
        if (!matcher.matches() || (!isSize && matcher.group(2) != null)) {
            throw new IllegalArgumentException(text + " is not a whole number");
        }
        long unit = matcher.group(2) == null ? 1 : UNIT_BYTES.getOrDefault(matcher.group(2), 1L);
        // NumberFormatException, for what a long does not hold, is an IllegalArgumentException
        long count = Long.parseLong(matcher.group(1));
        if (count > maximum / unit || count < minimum / unit) { // their product could overflow
            throw new IllegalArgumentException(text + " is not from " + minimum + " to " + maximum);
        }
        return within(count * unit, minimum, maximum);
    }

    /** Returns a number if it is in a range. */
    public static long within(long number, long minimum, long maximum) {
        if (number < minimum || number > maximum) {
            throw new IllegalArgumentException(number + " is not from " + minimum + " to " + maximum);
        }
        return number;
    }

    /** Returns the bit/s of a rate. */
    public static long parseRate(String text) {
        Matcher rate = match(RATE_TEXT, text.toLowerCase(Locale.ROOT));
        return Quantities.within(
                scaled(rate.group(1), BIT_UNITS.getOrDefault(rate.group(2), 1L)),
                Network.MINIMUM_RATE_BITS_PER_S,
                Network.MAXIMUM_RATE_BITS_PER_S);
    }

    /** Returns a rate as a user would write it. */
    public static String formatRate(long bitsPerS) {
        if (bitsPerS == 0) {
            return UNLIMITED;
        }
        String unit = bitsPerS % 1_000_000_000 == 0 ? "g" : bitsPerS % 1_000_000 == 0 ? "m" : "k";
        return quotient(bitsPerS, BIT_UNITS.getOrDefault(unit, 1L)) + unit + "bit";
    }

    /** Returns the millionths of a share in percent. */
    public static int parseShare(String text) {
        return (int)
                Quantities.within(scaled(match(SHARE_TEXT, text).group(1), PPM_PER_PERCENT), 0, 100 * PPM_PER_PERCENT);
    }

    /** Returns a share in percent. */
    public static String formatShare(int ppm) {
        return quotient(ppm, PPM_PER_PERCENT) + "%";
    }

    private static Matcher match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " does not match " + pattern);
        }
        return matcher;
    }

    private static long scaled(String number, long unit) {
        try {
            return new BigDecimal(number).multiply(BigDecimal.valueOf(unit)).longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(number + " is too large or has too many decimals", e);
        }
    }

    private static String quotient(long number, long unit) {
        return BigDecimal.valueOf(number)
                .divide(BigDecimal.valueOf(unit))
                .stripTrailingZeros()
                .toPlainString();
    }
}
