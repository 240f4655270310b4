package org.lagbench.core.clock;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Formats nanoseconds for people. */
public final class NanosecondsText {
    private NanosecondsText() {}

    /** Returns a duration in the unit that suits it: "800 ns", "45.2 µs", "1.000 ms", "3.500 s". */
    public static String duration(double ns) {
        double size = Math.abs(ns);
        if (size < 1e3) {
            return String.format(Locale.ROOT, "%.0f ns", ns);
        }
        if (size < 1e6) {
            return String.format(Locale.ROOT, "%.1f µs", ns / 1e3);
        }
        return size < 1e9
                ? String.format(Locale.ROOT, "%.3f ms", ns / 1e6)
                : String.format(Locale.ROOT, "%.3f s", ns / 1e9);
    }

    /** Returns a duration of whole nanoseconds. */
    public static String duration(long ns) {
        return duration((double) ns);
    }

    /** Returns a duration with its sign, + included. */
    public static String signed(long ns) {
        return signed((double) ns);
    }

    /** Returns a duration with its sign, + included. */
    public static String signed(double ns) {
        return ns < 0 ? duration(ns) : "+" + duration(ns);
    }

    /** Returns a time in ns since the epoch: "2026-01-31T12:00:00.123Z". */
    public static String time(long ns) {
        return Instant.EPOCH.plusNanos(ns).truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
