package org.lagbench.core.control;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStep;
import org.lagbench.core.live.ReceivedInterval;
import org.lagbench.core.live.StampSample;
import org.lagbench.core.run.RunRecord;

/**
 * Checks of the values in messages: what cannot be true is rejected before anything is computed from it. All throw an
 * {@link IllegalArgumentException} whose message begins with the field.
 */
final class MessageValues {
    /** The latest accepted time, in ns since the epoch: the year 2116. Differences of such times do not overflow. */
    private static final long LATEST_NS = 1L << 62;

    /** The largest accepted magnitude of a number: a time in ns of more than 30 years. */
    private static final double LARGEST_NUMBER = 1e18;

    private static final int MAXIMUM_STEPS = 1_000;
    private static final int MAXIMUM_ENTRIES = 1_000;
    private static final int MAXIMUM_CHARACTERS = 5_000;
    private static final int MAXIMUM_PORT = 65_535;

    private MessageValues() {}

    static <T> T present(@Nullable T value, String field) {
        if (value == null) {
            throw new IllegalArgumentException(field + " is missing");
        }
        return value;
    }

    static void within(long value, long minimum, long maximum, String field) {
        if (value < minimum || value > maximum) {
            throw new IllegalArgumentException(field + " is " + value + ", not from " + minimum + " to " + maximum);
        }
    }

    /** Checks a text that people read. */
    static void text(@Nullable String text, String field) {
        within(present(text, field).length(), 0, MAXIMUM_CHARACTERS, "the length of " + field);
    }

    /** Checks random bytes in hexadecimal, from which a key or a tag is derived. */
    static void nonce(@Nullable String nonce, String field) {
        within(present(nonce, field).length(), 1, MAXIMUM_CHARACTERS, "the length of " + field);
    }

    static void time(long atNs, String field) {
        within(atNs, 0, LATEST_NS, field);
    }

    static void port(int port, String field) {
        within(port, 1, MAXIMUM_PORT, field);
    }

    static void counts(RunRecord.Counts counts) {
        present(counts, "counts");
        within(counts.received(), 0, Long.MAX_VALUE, "counts.received");
        within(counts.distinct(), 0, counts.received(), "counts.distinct");
        within(counts.duplicated(), 0, counts.received(), "counts.duplicated");
        within(counts.reordered(), 0, counts.distinct(), "counts.reordered");
        within(counts.foreign(), 0, Long.MAX_VALUE, "counts.foreign");
        within(counts.unrecorded(), 0, counts.received(), "counts.unrecorded");
        within(counts.kernelDrops(), -1, Long.MAX_VALUE, "counts.kernelDrops");
    }

    static void side(RunRecord.Side side) {
        present(side, "side");
        text(side.host(), "side.host");
        text(side.bootId(), "side.bootId");
        text(side.java(), "side.java");
        Map<String, Object> metadata = present(side.metadata(), "side.metadata");
        within(metadata.size(), 0, MAXIMUM_ENTRIES, "the size of side.metadata");
        metadata.forEach((name, value) -> {
            if (!(value instanceof Number || value instanceof Boolean || value instanceof String)) {
                throw new IllegalArgumentException(
                        "side.metadata." + name + " is neither a number nor true, false or text");
            }
        });
    }

    static void steps(List<ClockStep> steps) {
        within(steps.size(), 0, MAXIMUM_STEPS, "the size of clockSteps");
        long leftNs = LATEST_NS;
        for (ClockStep step : steps) {
            time(step.atNs(), "clockSteps.atNs");
            within(step.sizeNs(), -leftNs, leftNs, "clockSteps.sizeNs");
            leftNs -= Math.abs(step.sizeNs());
        }
    }

    static void clock(ClockState state) {
        time(present(state, "state").atNs(), "state.atNs");
        text(state.sentence(), "state.sentence");
        if (state.boundNs() != null) {
            within(state.boundNs(), 0, LATEST_NS, "state.boundNs");
        }
        if (state.tracking() != null) {
            tracking(state.tracking());
        }
    }

    private static void tracking(ChronyTracking tracking) {
        present(tracking.referenceId(), "state.tracking.referenceId");
        present(tracking.leap(), "state.tracking.leap");
        time(tracking.referenceTimeNs(), "state.tracking.referenceTimeNs");
        possible(tracking.correctionNs(), "correctionNs");
        possible(tracking.lastOffsetNs(), "lastOffsetNs");
        possible(tracking.rmsOffsetNs(), "rmsOffsetNs");
        possible(tracking.frequencyPpm(), "frequencyPpm");
        possible(tracking.residualFrequencyPpm(), "residualFrequencyPpm");
        possible(tracking.skewPpm(), "skewPpm");
        possible(tracking.rootDelayNs(), "rootDelayNs");
        possible(tracking.rootDispersionNs(), "rootDispersionNs");
        possible(tracking.updateIntervalS(), "updateIntervalS");
    }

    private static void possible(double value, String field) {
        if (!(Math.abs(value) <= LARGEST_NUMBER)) {
            throw new IllegalArgumentException("state.tracking." + field + " is " + value + ", which is impossible");
        }
    }

    static void interval(ReceivedInterval interval) {
        present(interval, "received");
        within(interval.durationNs(), 0, LATEST_NS, "received.durationNs");
        within(interval.received(), 0, Long.MAX_VALUE, "received.received");
        within(interval.expected(), 0, Long.MAX_VALUE, "received.expected");
        within(interval.lost(), 0, interval.expected(), "received.lost");
        within(interval.late(), 0, interval.received(), "received.late");
        try {
            StampSample.parse(interval.stamps());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("received.stamps is not a valid sample of stamps", e);
        }
    }
}
