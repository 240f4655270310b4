package org.lagbench.runner.monitor;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.core.timeseries.SeriesStore;
import org.lagbench.report.table.Numbers;

/**
 * Sends probes on a schedule, one at a time, and records their values. Each series has one record for each round: that
 * of a probe that was not sent is {@link SeriesState#MISSED}, also for the time in which no monitor ran.
 *
 * @param turns the turns of a round
 * @param rounds number of rounds; {@link Long#MAX_VALUE} until this program is interrupted
 * @param lines is notified of values and of probes that fail
 * @param cost counts the probes
 */
public record Monitor(
        Schedule schedule,
        List<Turn> turns,
        long rounds,
        SeriesStore store,
        WallClock clock,
        Lines lines,
        ProbeCost cost) {
    /** How far away the next turn may be unless the clock was set back. */
    private static final int LONGEST_WAIT_ROUNDS = 2;

    /**
     * The monitor reads the clock again after at most this time. During a wait, the clock may be set or the host
     * suspended.
     */
    private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

    /** Ctrl-C may reach a receiver on this machine before this program. */
    private static final long INTERRUPT_DELAY_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Continues the series until all rounds are over or this program is interrupted.
     *
     * @throws LagbenchException if a value cannot be recorded
     */
    public void run() throws LagbenchException {
        FairOrder order = new FairOrder(turns.size());
        for (long round = firstRound(); round < rounds; round++) {
            for (int turn = 0; turn < turns.size(); turn++) {
                // checked here too, because after a long outage many turns are missed, and none of these waits
                if (!clock.await(0) || !take(turns.get(turn), round, turn, order)) {
                    return;
                }
            }
        }
    }

    /**
     * Skips a turn if it would make others miss theirs, and one of them was sent less recently. Without this, the first
     * turns of a round would be made each time, and the last ones never, while probes take longer than their turns.
     */
    private final class FairOrder {
        private static final long NEVER = -1;

        private final long[] lastMade;
        private final long[] lengthNs;

        FairOrder(int turns) {
            lastMade = new long[turns];
            lengthNs = new long[turns];
            Arrays.fill(lastMade, NEVER);
        }

        /** Returns whether a turn is to be skipped, if its probes take as long as the last time. */
        boolean yields(long round, int turn) {
            long untilNs = Math.max(clock.nowNs(), schedule.dueNs(round, turn)) + lengthNs[turn];
            for (int next = 1; next < lastMade.length; next++) {
                int other = (turn + next) % lastMade.length;
                if (schedule.endNs(round + (turn + next) / lastMade.length, other) > untilNs) {
                    return false;
                }
                if (lastMade[other] < lastMade[turn]) {
                    return true;
                }
            }
            return false;
        }

        void made(long round, int turn, long beginNs) {
            lastMade[turn] = round * lastMade.length + turn;
            lengthNs[turn] = clock.nowNs() - beginNs;
        }
    }

    /** Returns the first round without a record in some series. */
    private long firstRound() {
        long firstNs = store.series().stream().mapToLong(store::lastNs).min().orElse(0);
        return Math.max(0, schedule.roundAt(firstNs));
    }

    /** Sends the probes of a turn that have no record; returns false if this program is interrupted. */
    private boolean take(Turn turn, long round, int index, FairOrder order) throws LagbenchException {
        long dueNs = schedule.dueNs(round, index);
        long endNs = schedule.endNs(round, index);
        int count = turn.probes().size();
        boolean yields = order.yields(round, index);
        long beginNs = Math.max(dueNs, clock.nowNs());
        boolean isMade = false;
        for (int place = 0; place < count; place++) {
            Probe probe = turn.probes().get(Schedule.probeAt(round, place, count));
            if (probe.series().stream().allMatch(series -> store.lastNs(series) >= dueNs)) {
                continue;
            }
            boolean isBegun = probe.series().stream().anyMatch(series -> store.lastNs(series) >= dueNs);
            if (isBegun || yields || clock.nowNs() >= endNs) {
                record(probe, dueNs, SeriesState.MISSED);
            } else if (!await(dueNs) || !measure(probe, dueNs)) {
                return false;
            } else {
                isMade = true;
            }
        }
        if (isMade) {
            lines.endTurn(dueNs);
            order.made(round, index, beginNs);
        }
        return true;
    }

    /** Waits until a turn is due; returns false if this program is interrupted. */
    private boolean await(long dueNs) {
        boolean isSetBack = false;
        for (long nowNs = clock.nowNs(); nowNs < dueNs; nowNs = clock.nowNs()) {
            if (!isSetBack && dueNs - nowNs > LONGEST_WAIT_ROUNDS * schedule.everyNs()) {
                isSetBack = true;
                lines.clockSetBack(dueNs);
            }
            if (!clock.await(Math.min(dueNs - nowNs, LONGEST_WAIT_NS))) {
                return false;
            }
        }
        return clock.await(0);
    }

    private boolean measure(Probe probe, long dueNs) throws LagbenchException {
        List<Probe.Measured> measured;
        try {
            measured = probe.measure(dueNs);
        } catch (LagbenchException e) {
            if (e.exitCode() == ExitCode.INTERRUPTED && !clock.await(INTERRUPT_DELAY_NS)) {
                return false; // otherwise only the receiver was interrupted
            }
            lines.ended(probe, e);
            record(probe, dueNs, e.exitCode().code());
            return true;
        } finally {
            cost.add(probe);
        }
        lines.ended(probe, null);
        for (int i = 0; i < measured.size(); i++) {
            Probe.Measured one = measured.get(i);
            store.record(probe.series().get(i), dueNs, one.value(), one.state());
            lines.measured(probe.series().get(i), one);
        }
        return true;
    }

    private void record(Probe probe, long dueNs, int state) throws LagbenchException {
        for (SeriesInfo series : probe.series()) {
            store.record(series, dueNs, Double.NaN, state);
        }
    }

    /** The clock of a schedule. */
    public interface WallClock {
        /** Returns the time in ns since the epoch. */
        long nowNs();

        /** Waits for a time in ns; returns false if this program is interrupted. */
        boolean await(long lengthNs);

        /** Returns CLOCK_REALTIME of this host. */
        static WallClock ofThisHost(ShutdownCoordinator shutdown) {
            return new WallClock() {
                @Override
                public long nowNs() {
                    return RealtimeClock.nowNs();
                }

                @Override
                public boolean await(long lengthNs) {
                    try {
                        return !shutdown.awaitInterrupt(Duration.ofNanos(lengthNs));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return false;
                    }
                }
            };
        }
    }

    /**
     * Prints a line with the values of each turn. Prints as errors when a probe starts failing, when its exit code
     * changes, and when it works again, and when the clock was set back.
     */
    public static final class Lines {
        private final @Nullable PrintWriter out;
        private final PrintWriter err;
        private final List<String> values = new ArrayList<>();

        /** The failing probes with the exit code of the last failure. */
        private final Map<Probe, ExitCode> failing = new HashMap<>();

        /**
         * Creates the lines of a monitor.
         *
         * @param out receives the values; null prints none
         * @param err receives the failures
         */
        public Lines(@Nullable PrintWriter out, PrintWriter err) {
            this.out = out;
            this.err = err;
        }

        private void measured(SeriesInfo series, Probe.Measured one) {
            values.add(series.name() + " "
                    + (one.state() == SeriesState.OK
                            ? Numbers.significant(3, one.value()) + " " + series.unit()
                            : SeriesState.text(one.state())));
        }

        /** Prints the values of a turn that was due at a time in ns; none if all its probes failed. */
        private void endTurn(long dueNs) {
            if (out != null && !values.isEmpty()) {
                Instant due = Instant.ofEpochSecond(0, dueNs).truncatedTo(ChronoUnit.SECONDS);
                out.println(due + "  " + String.join(", ", values));
                out.flush();
            }
            values.clear();
        }

        private void ended(Probe probe, @Nullable LagbenchException failure) {
            ExitCode code = failure == null ? null : failure.exitCode();
            ExitCode before = code == null ? failing.remove(probe) : failing.put(probe, code);
            if (before != code) {
                print(probe.series().get(0).name(), failure == null ? "works again." : failure.sentence());
            }
        }

        /** Prints that the next turn is more than {@value #LONGEST_WAIT_ROUNDS} rounds away, at a time in ns. */
        private void clockSetBack(long dueNs) {
            print("clock", "it was set back; the series continue at " + Instant.ofEpochSecond(0, dueNs) + ".");
        }

        private void print(String subject, String sentence) {
            err.println("lagbench: " + Instant.now() + " " + subject + ": " + sentence);
            err.flush();
        }
    }

    /**
     * When probes are due. Each round begins a multiple of its length after the start, so that no delay accumulates.
     * The turns of a round divide it into equal parts; the probes of one turn follow each other.
     *
     * @param startNs the beginning of round 0, in ns since the epoch
     * @param everyNs length of a round in ns
     * @param jitterNs maximum random delay of each turn, in ns; shorter than a turn
     * @param turns number of turns in a round
     */
    public record Schedule(long startNs, long everyNs, long jitterNs, int turns) {
        private static final long GAMMA = 0x9E3779B97F4A7C15L;

        public Schedule {
            if (turns < 1 || everyNs < turns || jitterNs < 0 || jitterNs > everyNs / turns) {
                throw new IllegalArgumentException("the jitter of " + jitterNs + " ns must not be longer than one of "
                        + turns + " turns in " + everyNs + " ns");
            }
        }

        /** Returns when a turn is due, in ns since the epoch; always the same for the same turn. */
        public long dueNs(long round, int turn) {
            return turnNs(round, turn) + jitterNs(round * turns + turn);
        }

        /** Returns the time from which on a turn is missed, in ns since the epoch: the beginning of the next turn. */
        public long endNs(long round, int turn) {
            return turnNs(round, turn + 1);
        }

        /** Returns the round in which a time is; negative before the start. */
        public long roundAt(long atNs) {
            return Math.floorDiv(atNs - startNs, everyNs);
        }

        /**
         * Returns which probe of a turn is at a position. The first probe of a round is the last of the next round, so
         * that each is equally often before and after the others.
         */
        public static int probeAt(long round, int place, int probes) {
            return (int) Math.floorMod(round + place, (long) probes);
        }

        private long turnNs(long round, int turn) {
            return startNs + round * everyNs + everyNs / turns * turn + everyNs % turns * turn / turns;
        }

        private long jitterNs(long index) {
            if (jitterNs == 0) {
                return 0;
            }
            long mixed = startNs + (index + 1) * GAMMA; // SplitMix64
            mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return Math.floorMod(mixed ^ (mixed >>> 31), jitterNs);
        }
    }
}
