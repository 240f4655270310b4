package org.lagbench.report.table;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.lab.LabRecord;

/**
 * How many packets came over the link of a lab, and what share of what it carries at most. The rate is that between the
 * first and the last packet of each run that came.
 */
final class LinkTable {
    private static final double NS_PER_S = 1e9;

    private LinkTable() {}

    private record Rates(double receivedPerS, double capacityPerS) {}

    /** Returns the table, without a row where no run was over a link with a rate. */
    static Table of(PointRows rows) {
        TableColumns<Rates> columns = new TableColumns<Rates>()
                .number("Received", "packets/s", rates -> rounded("%.0f", rates.receivedPerS()))
                .number("Link carries", "packets/s", rates -> rounded("%.0f", rates.capacityPerS()))
                .number("Share", "%", rates -> rounded("%.1f", 100 * rates.receivedPerS() / rates.capacityPerS()));
        return rows.tableOfPoints("Link", columns, LinkTable::rates);
    }

    private static List<Rates> rates(PointSummary point, Figures figures) {
        SeriesStatistics delay = figures.series().get(Series.RECEIVE_DELAY);
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

    private static String rounded(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
