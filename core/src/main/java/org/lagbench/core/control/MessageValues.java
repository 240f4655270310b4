package org.lagbench.core.control;

import java.util.List;
import java.util.function.Predicate;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStep;
import org.lagbench.core.run.Ranges;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.series.ReceivedInterval;

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

    /** Checks a text that people read. */
    private static void text(String text, String field) {
        Ranges.check(text.length(), 0, MAXIMUM_CHARACTERS, "the length of " + field);
    }

    /** Checks random bytes in hexadecimal, from which a key or a tag is derived. */
    static void nonce(String nonce) {
        Ranges.check(nonce.length(), 1, MAXIMUM_CHARACTERS, "the length of nonce");
    }

    static void traffic(TrafficSpec traffic) {
        if (traffic.kind() == Traffic.TRANSFER && traffic.transfer() == null) {
            throw new IllegalArgumentException("run.point.traffic.transfer is missing");
        }
    }

    static void time(long atNs, String field) {
        Ranges.check(atNs, 0, LATEST_NS, field);
    }

    static void port(int port, String field) {
        Ranges.check(port, 1, MAXIMUM_PORT, field);
    }

    /** Checks and copies names of files, which become parts of paths on this host. */
    static List<String> names(List<String> files, Predicate<String> isName) {
        for (String file : files) {
            if (!isName.test(file)) {
                throw new IllegalArgumentException("file is \"" + file + "\", not the name of such a file");
            }
        }
        return List.copyOf(files);
    }

    static void side(RunRecord.Side side) {
        text(side.host(), "side.host");
        text(side.bootId(), "side.bootId");
        text(side.java(), "side.java");
        Ranges.check(side.metadata().size(), 0, MAXIMUM_ENTRIES, "the size of side.metadata");
        side.metadata().forEach((name, value) -> {
            if (!(value instanceof Number || value instanceof Boolean || value instanceof String)) {
                throw new IllegalArgumentException(
                        "side.metadata." + name + " is neither a number nor true, false or text");
            }
        });
    }

    static void steps(List<ClockStep> steps) {
        Ranges.check(steps.size(), 0, MAXIMUM_STEPS, "the size of clockSteps");
        long leftNs = LATEST_NS;
        for (ClockStep step : steps) {
            time(step.atNs(), "clockSteps.atNs");
            Ranges.check(step.sizeNs(), -leftNs, leftNs, "clockSteps.sizeNs");
            leftNs -= Math.abs(step.sizeNs());
        }
    }

    static void clock(ClockState state) {
        time(state.atNs(), "state.atNs");
        text(state.sentence(), "state.sentence");
        if (state.boundNs() != null) {
            Ranges.check(state.boundNs(), 0, LATEST_NS, "state.boundNs");
        }
        if (state.tracking() != null) {
            tracking(state.tracking());
        }
    }

    private static void tracking(ChronyTracking tracking) {
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
        Ranges.check(interval.durationNs(), 0, LATEST_NS, "received.durationNs");
        Ranges.check(interval.received(), 0, Long.MAX_VALUE, "received.received");
        Ranges.check(interval.expected(), 0, Long.MAX_VALUE, "received.expected");
        Ranges.check(interval.lost(), 0, interval.expected(), "received.lost");
        Ranges.check(interval.late(), 0, interval.received(), "received.late");
    }
}
