package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.lagbench.analysis.series.AllSeries;
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

    /** The table; none where no run was over a link with a rate. */
    static Optional<Table> of(PointRows rows) {
        List<Column> columns = rows.columns();
        columns.add(Column.number("Received", "packets/s"));
        columns.add(Column.number("Link carries", "packets/s"));
        columns.add(Column.number("Share", "%"));
        List<List<String>> cells = rows.rowsOfRuns(LinkTable::cells);
        return cells.isEmpty() ? Optional.empty() : Optional.of(new Table(rows.title("Link"), columns, cells));
    }

    /** A list of one row; none for a point whose runs were over no such link. */
    private static List<List<String>> cells(PointSummary point, Figures figures) {
        SeriesStatistics delay = figures.series().get(AllSeries.RECEIVE_DELAY);
        Optional<Double> capacity = point.runs().stream()
                .map(RunSummary::lab)
                .filter(Objects::nonNull)
                .map(LabRecord::capacityPacketsPerS)
                .filter(Objects::nonNull)
                .findFirst();
        if (capacity.isEmpty() || delay == null || !(delay.meanNs() > 0)) {
            return List.of();
        }
        double received = NS_PER_S / delay.meanNs();
        List<String> cells = new ArrayList<>();
        cells.add(whole(received));
        cells.add(whole(capacity.get()));
        cells.add(String.format(Locale.ROOT, "%.1f", 100 * received / capacity.get()));
        return List.of(cells);
    }

    private static String whole(double packetsPerS) {
        return String.format(Locale.ROOT, "%.0f", packetsPerS);
    }
}
