package org.lagbench.core.series;

import org.lagbench.core.failure.ExitCode;

/**
 * The states of a record. A record without a value says why: a negative state of this class, or the
 * {@linkplain ExitCode#code() exit code} that the failed probe would have had as a program.
 */
public final class SeriesState {
    /** The value was measured. */
    public static final int OK = 0;

    /** The probe was not made: the monitor did not run, or was still sending other probes. */
    public static final int MISSED = -1;

    /** The probe ran, but has no such value: every packet was lost. */
    public static final int NO_VALUE = -2;

    /** The probe completed, but the clock was set or the host was suspended during it, so its stamps are wrong. */
    public static final int CLOCK_STEP = -3;

    private SeriesState() {}

    /** Returns the state of a failed probe. */
    public static int of(ExitCode failure) {
        return failure.code();
    }

    /** Returns a state in a word. */
    public static String text(int state) {
        return switch (state) {
            case OK -> "ok";
            case MISSED -> "missed";
            case NO_VALUE -> "no-value";
            case CLOCK_STEP -> "clock-step";
            default -> "failed-" + state;
        };
    }
}
