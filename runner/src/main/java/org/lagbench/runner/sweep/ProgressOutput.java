package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunGroup;
import org.lagbench.report.table.RunRows;
import org.lagbench.web.EventLog;

/**
 * Where a sweep shows its progress.
 *
 * @param err standard error, which gets errors always and text unless it is quiet
 * @param quiet whether standard error gets only errors
 * @param everySecond whether standard error gets a lasting line for each second of a run
 * @param events gets an event a line as JSON; null for none
 * @param page gets the same events for the live page; null for none
 */
public record ProgressOutput(
        PrintWriter err, boolean quiet, boolean everySecond, @Nullable PrintWriter events, @Nullable EventLog page) {
    /**
     * Starts to show a sweep: on a terminal as a progress bar, in a pipe as lines.
     *
     * @param all the runs of the experiment
     * @param missing how many of them will be made
     */
    Progress start(Execution execution, List<RunGroup> all, int missing, RemainingTime remainingTime) {
        List<Progress> parts = new ArrayList<>();
        if (quiet || missing == 0) {
            parts.add(Progress.lines(err, true));
        } else {
            RunRows rows = rows(all);
            parts.add(
                    Terminal.isStandardErrorCapable()
                            ? new BarProgress(
                                    System.err,
                                    Terminal.columns(),
                                    missing,
                                    remainingTime::remaining,
                                    rows,
                                    everySecond)
                            : new LineProgress(err, missing, System::nanoTime, rows, everySecond));
        }
        if (events != null) {
            parts.add(
                    new EventProgress(events::println, events::println, execution, missing, remainingTime.remaining()));
        }
        if (page != null) {
            parts.add(new EventProgress(page::keep, page::pass, execution, missing, remainingTime.remaining()));
        }
        return parts.size() == 1 ? parts.get(0) : new Progress(parts.toArray(new Progress[0]));
    }

    /** Returns the rows of runs as in the final table, all with the same columns. */
    private static RunRows rows(List<RunGroup> all) {
        Transports transports = Transports.load();
        return new RunRows(all.stream()
                .flatMap(group -> group.runs().stream())
                .map(run -> PointKey.of(
                        run,
                        transports
                                .find(run.point().transport())
                                .map(Transport::title)
                                .orElse(run.point().transport())))
                .distinct()
                .toList());
    }
}
