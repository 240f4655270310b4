package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.forecast.SeriesChart;
import org.lagbench.report.forecast.SeriesTable;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.TableFormat;

/**
 * The report of a monitor's session: one self-contained HTML file with a chart of each series. Its size does not depend
 * on the number of values.
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
        sections.add(Section.of("series", "Series", "tables", SeriesTable.document(series)));
        for (SeriesSummary one : series) {
            if (one.values() > 0) {
                String id = "series-" + sections.size();
                String title = one.series().title();
                sections.add(Section.of(ReportChart.fixed(
                        id,
                        title,
                        title + " over time, with forecasts",
                        "Each forecast was made before its value was known.",
                        SeriesChart.of(session, one))));
            }
        }
        String name = String.valueOf(session.toAbsolutePath().normalize().getFileName());
        new Page(
                        name,
                        monitored(series),
                        List.of(),
                        sections,
                        SeriesTable.result(name, series).text(TableFormat.JSON))
                .write(file);
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
