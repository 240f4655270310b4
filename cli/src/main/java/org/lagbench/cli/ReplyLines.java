package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.analysis.summary.LiveReplies;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunSpec;
import org.lagbench.report.table.Numbers;
import org.lagbench.runner.sweep.Progress;

/**
 * A line for each reply of one run of round trips as it arrives, and for each packet without a reply in time. A thread
 * follows the captures of the sender and prints the lines.
 */
final class ReplyLines implements Progress {
    /** Short for a person who waits for the next line. */
    private static final long CHECK_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final String peer;
    private final long timeoutNs;
    private final Path runs;
    private final PrintWriter out;
    private final PrintWriter err;
    private @Nullable BackgroundThread thread;
    private volatile boolean isComplete;
    private final LongStream.Builder roundTripsNs = LongStream.builder();
    private int inTime;

    /**
     * Creates the lines of a run that has not begun.
     *
     * @param peer the name of the other side
     * @param timeout how long after a packet its reply is late
     * @param runs the directory of the runs
     * @param out receives the lines; flushes after each
     * @param err receives notes and errors
     */
    ReplyLines(String peer, Duration timeout, Path runs, PrintWriter out, PrintWriter err) {
        this.peer = peer;
        this.timeoutNs = timeout.toNanos();
        this.runs = runs;
        this.out = out;
        this.err = err;
    }

    @Override
    public void started(RunSpec.RunGroup group) {
        RunSpec run = group.runs().get(0);
        thread = new BackgroundThread("replies", () -> follow(run));
        thread.start();
    }

    private void follow(RunSpec run) {
        BackgroundThread reading = Objects.requireNonNull(thread);
        Path directory = runs.resolve(run.name());
        while (!LiveReplies.isBegun(directory)) {
            if (reading.isClosedWithin(CHECK_NS)) {
                return; // the run failed before there were captures
            }
        }
        try (LiveReplies replies = LiveReplies.open(directory)) {
            int bytes = run.point().packetBytes();
            while (!reading.isClosedWithin(CHECK_NS)) {
                print(replies, bytes, RealtimeClock.nowNs() - timeoutNs);
            }
            print(replies, bytes, isComplete ? Long.MAX_VALUE : Long.MIN_VALUE);
            if (!isComplete) {
                printSummary(replies.sent());
            }
        } catch (LagbenchException e) {
            err.println("The replies are not shown: " + e.sentence());
        }
    }

    /** Prints the replies, and the packets sent before a time that have none. */
    private void print(LiveReplies replies, int bytes, long expiredNs) throws LagbenchException {
        for (LiveReplies.Reply reply : replies.next()) {
            boolean isLate = reply.roundTripNs() > timeoutNs;
            if (!reply.isCopy()) {
                roundTripsNs.add(reply.roundTripNs());
                inTime += isLate ? 0 : 1;
            }
            out.println(bytes + " bytes from " + peer + ": seq=" + reply.packet() + " time="
                    + Numbers.duration((double) reply.roundTripNs()) + (reply.isCopy() ? " (copy)" : "")
                    + (isLate ? " (late)" : ""));
        }
        for (int packet : replies.withoutReply(expiredNs)) {
            out.println("no reply: seq=" + packet + " within " + Durations.format(timeoutNs));
        }
    }

    /** Prints the table's values of a run that has no table. */
    private void printSummary(long sent) {
        long[] sorted = roundTripsNs.build().sorted().toArray();
        double[] quantiles = Quantile.ofSorted(sorted, Quantile.PERCENT, 0, 50, 100);
        out.println(sent + " packets sent, " + inTime + " with a reply in time"
                + (sorted.length == 0
                        ? "."
                        : "; round trip min " + Numbers.duration(quantiles[0]) + ", median "
                                + Numbers.duration(quantiles[1]) + ", max " + Numbers.duration(quantiles[2]) + "."));
    }

    @Override
    public void ended(RunSpec.RunGroup run, String result, Duration taken, Duration remaining) {
        isComplete = result.equals(DONE);
        close();
    }

    @Override
    public void close() {
        BackgroundThread reading = thread;
        if (reading != null) {
            reading.close();
        }
    }

    @Override
    public void note(String sentence) {
        err.println(sentence);
    }

    @Override
    public void error(String sentence) {
        err.println(sentence);
    }
}
