package org.lagbench.runner.sweep;

import java.time.Duration;

/** Formats durations for people. */
public final class Durations {
    private Durations() {}

    /** Returns "42 s", "3 min 05 s" or "2 h 07 min". */
    public static String text(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3_600) {
            return String.format("%d min %02d s", seconds / 60, seconds % 60);
        }
        return String.format("%d h %02d min", seconds / 3_600, seconds % 3_600 / 60);
    }
}
