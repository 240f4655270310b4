package org.lagbench.cli.sweep;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.lagbench.core.run.RunGroup;

/** One line per run, and one every ten seconds of a long run, for a log or a pipe. Thread-safe. */
final class LineProgress implements Progress {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final PrintWriter out;
    private final int total;
    private final LongSupplier clockNs;
    private int ended;
    private String name = "";
    private long lastLineNs;

    /**
     * Creates a progress for a number of runs.
     *
     * @param out flushes after each line
     * @param clockNs {@link System#nanoTime}, except in tests
     */
    LineProgress(PrintWriter out, int total, LongSupplier clockNs) {
        this.out = out;
        this.total = total;
        this.clockNs = clockNs;
    }

    @Override
    public synchronized void started(RunGroup run) {
        name = run.name();
        lastLineNs = clockNs.getAsLong();
    }

    @Override
    public synchronized void sent(SentPackets packets) {
        long nowNs = clockNs.getAsLong();
        if (nowNs - lastLineNs >= INTERVAL_NS) {
            lastLineNs = nowNs;
            out.println(name + "  " + packets.sent() + " of " + packets.packets() + " packets sent, "
                    + packets.perSecond() + " packets/s");
        }
    }

    @Override
    public synchronized void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        ended++;
        out.println(String.format(
                Locale.ROOT,
                "run %d of %d  %s  %s, %.1f s%s",
                ended,
                total,
                run.name(),
                result,
                taken.toMillis() / 1e3,
                ended == total ? "" : "; " + Durations.text(remaining) + " left"));
    }

    @Override
    public synchronized void note(String sentence) {
        out.println(sentence);
    }

    @Override
    public synchronized void error(String sentence) {
        out.println(sentence);
    }
}
