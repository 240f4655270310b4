package org.lagbench.core.time;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Lengths of time as users write them: a number and its unit, {@code 125us}, {@code 1.5ms}, {@code 30s}. */
public final class Intervals {
    /** What {@link #parseNs} accepts, as part of a sentence. */
    public static final String ACCEPTED = "a number with its unit ns, us, ms or s";

    private static final Pattern INTERVAL = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ns|us|µs|ms|s)");
    private static final String[] UNITS = {"s", "ms", "us", "ns"};

    private Intervals() {}

    /**
     * Reads a length of time.
     *
     * @return nanoseconds, 0 or more
     * @throws IllegalArgumentException if it is not {@link #ACCEPTED}, or not a whole number of nanoseconds
     */
    public static long parseNs(String text) {
        Matcher matcher = INTERVAL.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not " + ACCEPTED);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(nanosecondsIn(matcher.group(2))))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("\"" + text + "\" is too long or finer than a nanosecond", e);
        }
    }

    /** What {@link #parseNs} accepts within a range, both ends in ns, as part of a sentence. */
    public static String accepted(long minimumNs, long maximumNs) {
        return "a length of time from " + format(minimumNs) + " to " + format(maximumNs) + " (" + ACCEPTED + ")";
    }

    /**
     * Reads the value of a command line's option.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it is no length of time
     */
    public static Duration ofOption(String option, String text) throws LagbenchException {
        try {
            return Duration.ofNanos(parseNs(text));
        } catch (IllegalArgumentException e) {
            throw new LagbenchException(ExitCode.USAGE, option + ": " + e.getMessage() + ".", e);
        }
    }

    /** Writes a length of time in its greatest unit that needs no fraction: {@code 125us} for 125,000. */
    public static String format(long nanoseconds) {
        if (nanoseconds == 0) {
            return "0s";
        }
        for (String unit : UNITS) {
            long size = nanosecondsIn(unit);
            if (nanoseconds >= size && nanoseconds % size == 0) {
                return nanoseconds / size + unit;
            }
        }
        return nanoseconds + "ns";
    }

    private static long nanosecondsIn(String unit) {
        return switch (unit) {
            case "s" -> 1_000_000_000L;
            case "ms" -> 1_000_000L;
            case "us", "µs" -> 1_000L;
            default -> 1L;
        };
    }
}
