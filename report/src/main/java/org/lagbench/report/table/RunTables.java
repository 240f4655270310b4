package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.lagbench.analysis.clock.OffsetEstimate;
import org.lagbench.analysis.summary.CorrectedLag;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.core.run.RunRecord.LabRecord;

/** The tables below the lag tables: the clocks of the runs, and their emulated links. */
final class RunTables {
    private RunTables() {}

    private record Offset(String run, String estimator, OffsetEstimate estimate) {}

    /** Returns the clock offsets that were subtracted from lags; none unless corrected lags were requested. */
    static Table offsets(PointRows rows) {
        List<Offset> offsets = new ArrayList<>();
        for (PointSummary point : rows.summary().corrected() ? rows.summary().points() : List.<PointSummary>of()) {
            for (RunSummary run : point.runs()) {
                for (CorrectedLag corrected : run.metrics().require(MetricGroup.CORRECTED)) {
                    for (OffsetEstimate estimate : corrected.offsets()) {
                        offsets.add(new Offset(run.name(), corrected.estimator().text(), estimate));
                    }
                }
            }
        }
        return new TableColumns<Offset>()
                .text("Run", Offset::run)
                .text("Estimator", Offset::estimator)
                .time("Offset at midpoint", row -> (double) row.estimate().midSpanOffsetNs())
                .number("Bound", "", row -> Numbers.plusMinus(row.estimate().uncertaintyNs()))
                .fixed(3, "Skew", "ppm", row -> Math.round(row.estimate().skewPpm() * 1e3) / 1e3)
                .number(
                        "Skew bound",
                        "ppm",
                        row -> Numbers.plusMinusPpm(row.estimate().skewUncertaintyPpm()))
                .table(rows.title("Offset of the receiver's clock from the sender's"), offsets);
    }

    private record LinkRate(double receivedPerS, double capacityPerS) {}

    /**
     * Returns the packet rate that arrived over an emulated link, between the first and the last packet, and the link's
     * capacity; none unless runs used a link with a rate.
     */
    static Table links(PointRows rows) {
        TableColumns<LinkRate> columns = new TableColumns<LinkRate>()
                .number("Received", "packets/s", rates -> Numbers.grouped(0, rates.receivedPerS()))
                .number("Capacity", "packets/s", rates -> Numbers.grouped(0, rates.capacityPerS()))
                .fixed(1, "Share", "%", rates -> 100 * rates.receivedPerS() / rates.capacityPerS());
        return rows.tableOfPoints("Link", columns, RunTables::rates);
    }

    private static List<LinkRate> rates(PointSummary point, Metrics metrics) {
        double received = metrics.require(MetricGroup.RATES).received().packetsPerS();
        Optional<Double> capacity = point.runs().stream()
                .map(RunSummary::lab)
                .filter(Objects::nonNull)
                .map(LabRecord::capacityPacketsPerS)
                .filter(Objects::nonNull)
                .findFirst();
        return capacity.isEmpty() || Double.isNaN(received)
                ? List.of()
                : List.of(new LinkRate(received, capacity.get()));
    }
}
