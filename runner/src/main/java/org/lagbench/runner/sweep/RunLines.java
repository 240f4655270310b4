package org.lagbench.runner.sweep;

import java.util.List;
import org.lagbench.analysis.summary.LiveInterval;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunSpec;
import org.lagbench.report.live.IntervalText;
import org.lagbench.report.table.RunRows;

/** Formats the lines about runs that a sweep prints. Not thread-safe. */
final class RunLines {
    private final RunRows rows;

    /**
     * Creates the lines of a sweep.
     *
     * @param all the runs of the experiment; their rows have the same columns
     */
    RunLines(List<RunSpec> all) {
        Transports transports = Transports.load();
        this.rows = new RunRows(all.stream()
                .map(run -> PointKey.of(
                        run,
                        transports
                                .find(run.point().transport())
                                .map(Transport::title)
                                .orElse(run.point().transport())))
                .distinct()
                .toList());
    }

    /** Returns the figures of a second. */
    String interval(RunSpec run, LiveInterval interval) {
        return IntervalText.of(interval, run.point().packetBytes());
    }

    /** Returns the row of a run as in the final table. The head of that table precedes the first row. */
    List<String> rows(Summary summary) {
        return rows.add(summary);
    }
}
