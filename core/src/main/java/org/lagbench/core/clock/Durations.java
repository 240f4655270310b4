package org.lagbench.core.clock;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Lengths of time as users write them: a number and its unit, {@code 125us}, {@code 1.5ms}, {@code 30s}; long ones also
 * in minutes, hours and days, {@code 10min}, {@code 24h}, {@code 7d}.
 */
public final class Durations {
    /** The texts that {@link #parseNs} accepts, as part of a sentence. */
    public static final String ACCEPTED = "a number with its unit ns, us, ms or s";

    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ns|us|µs|ms|s|min|h|d)");
    private static final Map<String, Long> UNITS_NS = Map.of(
            "d", TimeUnit.DAYS.toNanos(1),
            "h", TimeUnit.HOURS.toNanos(1),
            "min", TimeUnit.MINUTES.toNanos(1),
            "s", 1_000_000_000L,
            "ms", 1_000_000L,
            "us", 1_000L,
            "µs", 1_000L,
            "ns", 1L);

    private Durations() {}

    /**
     * Reads a length of time.
     *
     * @return nanoseconds, 0 or more
     * @throws IllegalArgumentException if it is not {@link #ACCEPTED}, or not a whole number of nanoseconds
     */
    public static long parseNs(String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not " + ACCEPTED);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(UNITS_NS.getOrDefault(matcher.group(2), 1L)))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("\"" + text + "\" is too long or finer than a nanosecond", e);
        }
    }

    /** Returns the texts that {@link #parseNs} accepts within a range in ns, as part of a sentence. */
    public static String accepted(long minimumNs, long maximumNs) {
        return "a length of time from " + format(minimumNs) + " to " + format(maximumNs) + " (" + ACCEPTED + ")";
    }

    /**
     * Reads the value of a command-line option.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it is not a length of time
     */
    public static Duration ofOption(String option, String text) throws LagbenchException {
        try {
            return Duration.ofNanos(parseNs(text));
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(option + ": " + e.getMessage() + ".", e);
        }
    }

    /** Returns a length of time in the largest unit that needs no fraction: {@code 125us} for 125,000. */
    public static String format(long nanoseconds) {
        if (nanoseconds == 0) {
            return "0s";
        }
        String unit = nanoseconds % 1_000_000_000 == 0
                ? "s"
                : nanoseconds % 1_000_000 == 0 ? "ms" : nanoseconds % 1_000 == 0 ? "us" : "ns";
        return nanoseconds / UNITS_NS.getOrDefault(unit, 1L) + unit;
    }
}
