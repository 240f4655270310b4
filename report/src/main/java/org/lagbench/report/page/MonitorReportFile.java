package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.SeriesTable;
import org.lagbench.report.table.TableFormat;

/**
 * The report of a monitor's session: one self-contained HTML file that opens with a line for each series. Its size does
 * not depend on the number of values.
 */
public final class MonitorReportFile {
    private MonitorReportFile() {}

    /**
     * Writes the report. A reader finds the old file or the new one, never a part of it.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if a series cannot be read or the file cannot be written
     */
    public static void write(Path file, Path session, List<SeriesSummary> series) throws LagbenchException {
        List<Section> sections = new ArrayList<>();
        List<Sparkline> lines = Sparkline.ofAll(session, series);
        List<Chart> charts = new ArrayList<>();
        for (SeriesSummary one : series) {
            if (one.values() > 0) {
                charts.add(SeriesChart.of(session, one));
            }
        }
        if (!lines.isEmpty()) {
            sections.add(Section.of("overview", "Overview", "sparklines", lines));
            ReportChart chart = ReportChart.ofFixed(
                    "charts", "Series and forecasts", "Each forecast was made before its value was known.", charts);
            sections.add(Section.of("charts", "Series and forecasts", "fixed-chart", chart));
        }
        sections.add(Section.of("series", "Statistics", "tables", SeriesTable.document(series)));
        String name = String.valueOf(session.toAbsolutePath().normalize().getFileName());
        Page page = new Page(
                name,
                monitored(series),
                List.of(),
                sections,
                SeriesTable.result(name, series).text(TableFormat.JSON));
        page.write(file);
    }

    private static String monitored(List<SeriesSummary> series) {
        return Numbers.grouped(series.size()) + " series with "
                + Numbers.grouped(
                        series.stream().mapToLong(SeriesSummary::values).sum())
                + " values, and "
                + Numbers.grouped(
                        series.stream().mapToLong(SeriesSummary::missing).sum())
                + " missing.";
    }
}
