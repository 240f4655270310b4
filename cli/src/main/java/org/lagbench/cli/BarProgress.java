package org.lagbench.cli;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.report.table.BriefLines;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.RunRows;
import org.lagbench.runner.sweep.Progress;

/**
 * A progress bar with the remaining time, for a terminal. The line above it shows the last second of the run, or of
 * each concurrent run, and is overwritten; above that, the rows of the runs and other lines remain.
 */
final class BarProgress implements Progress {
    private static final int UPDATE_INTERVAL_MS = 500;

    /** Control sequences of ECMA-48: erase to the end of the line, and the cursor to the line above. */
    private static final String ERASE = "\r\033[K";

    private static final String UP = "\033[A";

    private final PrintStream terminal;
    private final int columns;
    private final ProgressBar bar;
    private final RunRows rows;
    private final boolean everySecond;
    private final Supplier<Duration> remaining;

    /** Whether a run has ended, so that the remaining time is more than a lower limit. */
    private volatile boolean isMeasured;

    /** The lines to overwrite, by the name of the run. */
    private final Map<String, String> seconds = new LinkedHashMap<>();

    /** Number of these lines that are on the terminal. */
    private int shown;

    /**
     * Shows the bar.
     *
     * @param columns width of the terminal
     * @param remaining returns the remaining time of all runs; called on the bar's own thread
     * @param everySecond whether the lines of the seconds remain too
     */
    BarProgress(
            PrintStream terminal,
            int columns,
            int total,
            Supplier<Duration> remaining,
            RunRows rows,
            boolean everySecond) {
        this.terminal = terminal;
        this.columns = columns;
        this.remaining = remaining;
        this.rows = rows;
        this.everySecond = everySecond;
        this.bar = ProgressBar.builder()
                .setTaskName("runs")
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_INTERVAL_MS)
                .setEtaFunction(state -> isMeasured ? Optional.of(remaining.get()) : Optional.empty())
                .continuousUpdate()
                .setConsumer(new ConsoleProgressBarConsumer(terminal, columns - 1))
                .build();
    }

    @Override
    public void started(RunSpec.RunGroup run) {
        showName(run);
    }

    private void showName(RunSpec.RunGroup run) {
        String estimate = isMeasured ? "" : " at least " + Numbers.time(remaining.get()) + " ";
        bar.setExtraMessage(estimate + " " + run.name());
    }

    @Override
    public synchronized void ended(RunSpec.RunGroup run, String result, Duration taken, Duration remaining) {
        isMeasured |= result.equals(DONE);
        showName(run);
        bar.step();
        seconds.clear();
        show(List.of());
    }

    /** The final table has the row of an only run. */
    @Override
    public @Nullable SummaryOptions shownMetrics() {
        return bar.getMax() > 1 ? RunRows.OPTIONS : null;
    }

    @Override
    public boolean showsSeconds() {
        return true;
    }

    @Override
    public synchronized void interval(RunSpec run, LiveInterval interval) {
        StreamRole stream = run.stream();
        String name = everySecond ? run.name() : stream == null ? "" : stream.name();
        String named = name.isEmpty() ? "" : name + "  ";
        String line = named + BriefLines.of(interval, run.point(), columns - 1 - named.length());
        if (everySecond) {
            show(List.of(line));
        } else {
            seconds.put(run.name(), line);
            show(List.of());
        }
    }

    @Override
    public synchronized void metrics(RunSpec run, Summary summary) {
        show(rows.add(summary));
    }

    @Override
    public void note(String sentence) {
        bar.setExtraMessage(" " + UntrustedText.escape(sentence));
    }

    @Override
    public void error(String sentence) {
        show(List.of(sentence));
    }

    /** Writes lines that remain, and below them the lines to overwrite. */
    private synchronized void show(List<String> remaining) {
        StringBuilder text = new StringBuilder(ERASE);
        text.append((UP + ERASE).repeat(shown));
        remaining.forEach(line -> text.append(UntrustedText.escape(line)).append(System.lineSeparator()));
        seconds.values().forEach(line -> text.append(line).append(System.lineSeparator()));
        shown = seconds.size();
        terminal.print(text); // one call, because the bar's own thread writes too
        bar.refresh();
        terminal.flush();
    }

    @Override
    public void close() {
        bar.setExtraMessage("");
        bar.close();
    }
}
