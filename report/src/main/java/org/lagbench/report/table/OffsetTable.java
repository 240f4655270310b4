package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.summary.CorrectedLag;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;

/** The clock offsets that were subtracted from the lags of runs. */
final class OffsetTable {
    private OffsetTable() {}

    private record Offset(String run, String estimator, OffsetEstimate estimate) {}

    /** Returns the table; it has no rows unless corrected lags were requested. */
    static Table of(PointRows rows) {
        List<Offset> offsets = new ArrayList<>();
        for (PointSummary point : rows.summary().corrected() ? rows.summary().points() : List.<PointSummary>of()) {
            for (RunSummary run : point.runs()) {
                for (CorrectedLag corrected : run.metrics().require(MetricGroup.CORRECTED)) {
                    OffsetEstimate estimate = corrected.offset();
                    if (estimate != null) {
                        offsets.add(new Offset(run.name(), corrected.estimator().text(), estimate));
                    }
                }
            }
        }
        return new TableColumns<Offset>()
                .text("Run", Offset::run)
                .text("Estimator", Offset::estimator)
                .us("Offset at midpoint", row -> (double) row.estimate().midSpanOffsetNs())
                .number("Bound", "", row -> Numbers.plusMinus(row.estimate().uncertaintyNs()))
                .fixed(3, "Skew", "ppm", row -> Math.round(row.estimate().skewPpm() * 1e3) / 1e3)
                .number(
                        "Skew bound",
                        "ppm",
                        row -> Numbers.plusMinusPpm(row.estimate().skewUncertaintyPpm()))
                .table(rows.title("Offset of the receiver's clock from the sender's"), offsets);
    }
}
