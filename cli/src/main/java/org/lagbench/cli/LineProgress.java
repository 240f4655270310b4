package org.lagbench.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.run.RunSpec;
import org.lagbench.report.table.BriefLines;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.RunRows;
import org.lagbench.runner.sweep.Progress;

/** One line per run, its row of the table, and a line every ten seconds or every second. Thread-safe. */
final class LineProgress implements Progress {
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private final PrintWriter out;
    private final int total;
    private final LongSupplier clockNs;
    private final RunRows rows;
    private final boolean everySecond;
    private int ended;
    private boolean isMeasured;
    private long lastLineNs;

    /**
     * Creates a progress for a number of runs.
     *
     * @param out flushes after each line
     * @param clockNs {@link System#nanoTime}, except in tests
     */
    LineProgress(PrintWriter out, int total, LongSupplier clockNs, RunRows rows, boolean everySecond) {
        this.out = out;
        this.total = total;
        this.clockNs = clockNs;
        this.rows = rows;
        this.everySecond = everySecond;
    }

    @Override
    public synchronized void started(RunSpec.RunGroup run) {
        lastLineNs = clockNs.getAsLong();
    }

    /** The final table has the row of an only run. */
    @Override
    public @Nullable SummaryOptions shownMetrics() {
        return total > 1 ? RunRows.OPTIONS : null;
    }

    @Override
    public boolean showsSeconds() {
        return true;
    }

    @Override
    public synchronized void interval(RunSpec run, LiveInterval interval) {
        long nowNs = clockNs.getAsLong();
        if (everySecond || nowNs - lastLineNs >= INTERVAL_NS) {
            lastLineNs = nowNs;
            out.println(run.name() + "  " + BriefLines.of(interval, run.point(), Integer.MAX_VALUE));
        }
    }

    @Override
    public synchronized void ended(RunSpec.RunGroup run, String result, Duration taken, Duration remaining) {
        ended++;
        isMeasured |= result.equals(DONE);
        out.println(String.format(
                Locale.ROOT,
                "run %d of %d  %s  %s, %.1f s%s",
                ended,
                total,
                run.name(),
                result,
                taken.toMillis() / 1e3,
                ended == total ? "" : "; " + (isMeasured ? "" : "at least ") + Numbers.time(remaining) + " left"));
    }

    @Override
    public synchronized void metrics(RunSpec run, Summary summary) {
        rows.add(summary).forEach(out::println);
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
