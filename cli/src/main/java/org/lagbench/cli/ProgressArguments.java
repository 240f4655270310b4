package org.lagbench.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunGroup;
import org.lagbench.report.table.RunRows;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.Sweep;
import org.lagbench.web.EventLog;
import org.lagbench.web.LivePage;
import org.lagbench.web.LiveServer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options for showing the progress of commands that execute runs. */
final class ProgressArguments {
    /** Seconds of runs that the live page shows if it is opened later. */
    private static final int RECENT_SECONDS = 1_000;

    @Option(names = "--quiet", description = "Print only errors.")
    private boolean quiet;

    @Mixin
    private final LiveArguments live = new LiveArguments();

    @Option(
            names = "--json-stream",
            description = "Print an event per line as JSON on the standard output, instead of tables: the seconds and"
                    + " results of runs. See docs/reference/live.md.")
    private boolean jsonStream;

    boolean isQuiet() {
        return quiet;
    }

    /** Returns whether the standard output belongs to events. */
    boolean printsEvents() {
        return jsonStream;
    }

    /**
     * Executes the runs of an experiment while it shows them.
     *
     * @throws LagbenchException also if the live page cannot be served
     */
    ExitCode execute(Execution execution, PrintWriter out, PrintWriter err)
            throws LagbenchException, InterruptedException {
        if (!live.isGiven()) {
            return Sweep.execute(execution, starter(execution, out, err, null));
        }
        EventLog page = new EventLog(RECENT_SECONDS);
        try (LiveServer server = live.start(LivePage.SWEEP, Map.of(), page)) {
            Terminal.warnRoot(err, "the live page");
            err.println("Live page: " + server.address());
            return Sweep.execute(execution, starter(execution, out, err, page));
        }
    }

    /**
     * Returns what shows a sweep: on a terminal a progress bar, in a pipe lines; and events, as requested, on the
     * standard output and the live page.
     */
    private Progress.Starter starter(Execution execution, PrintWriter out, PrintWriter err, @Nullable EventLog page) {
        return (all, missing, remaining) -> {
            Progress progress = quiet || missing == 0
                    ? Progress.lines(err, true)
                    : text(err, all, missing, remaining, page != null);
            if (jsonStream) {
                progress = new EventProgress(progress, out::println, out::println)
                        .begin(execution, missing, remaining.get());
            }
            return page == null
                    ? progress
                    : new EventProgress(progress, page::keep, page::pass).begin(execution, missing, remaining.get());
        };
    }

    /** Returns a progress with rows of runs as in the final table, all with the same columns. */
    private static Progress text(
            PrintWriter err, List<RunGroup> all, int missing, Supplier<Duration> remaining, boolean everySecond) {
        Transports transports = Transports.load();
        RunRows rows = new RunRows(all.stream()
                .flatMap(group -> group.runs().stream())
                .map(run -> PointKey.of(
                        run,
                        transports
                                .find(run.point().transport())
                                .map(Transport::title)
                                .orElse(run.point().transport())))
                .distinct()
                .toList());
        return Terminal.isStandardErrorCapable()
                ? new BarProgress(System.err, Terminal.columns(), missing, remaining, rows, everySecond)
                : new LineProgress(err, missing, System::nanoTime, rows, everySecond);
    }
}
