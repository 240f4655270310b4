package org.lagbench.report.table;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.model.LabRecord;

/**
 * The packet rate that arrived over an emulated link, between the first and the last packet, and the link's capacity.
 */
final class LinkTable {
    private static final double NS_PER_S = 1e9;

    private LinkTable() {}

    private record Rates(double receivedPerS, double capacityPerS) {}

    /** Returns the table; it has no rows unless runs used a link with a rate. */
    static Table of(PointRows rows) {
        TableColumns<Rates> columns = new TableColumns<Rates>()
                .number("Received", "packets/s", rates -> Numbers.grouped(0, rates.receivedPerS()))
                .number("Capacity", "packets/s", rates -> Numbers.grouped(0, rates.capacityPerS()))
                .fixed(1, "Share", "%", rates -> 100 * rates.receivedPerS() / rates.capacityPerS());
        return rows.tableOfPoints("Link", columns, LinkTable::rates);
    }

    private static List<Rates> rates(PointSummary point, Metrics metrics) {
        SeriesStatistics delay = metrics.series().get(Series.RECEIVE_DELAY);
        Optional<Double> capacity = point.runs().stream()
                .map(RunSummary::lab)
                .filter(Objects::nonNull)
                .map(LabRecord::capacityPacketsPerS)
                .filter(Objects::nonNull)
                .findFirst();
        return capacity.isEmpty() || delay == null || !(delay.meanNs() > 0)
                ? List.of()
                : List.of(new Rates(NS_PER_S / delay.meanNs(), capacity.get()));
    }
}
