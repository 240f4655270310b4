package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Document;

/** The report of a tune: one self-contained HTML file that opens with the charts of all candidates. */
public final class TuneReportFile {
    private TuneReportFile() {}

    /**
     * Writes the report. A reader finds the old file or the new one, never a part of it.
     *
     * @param sentences the result
     * @param charts none if no candidate was measured
     * @param json the whole result
     * @throws LagbenchException with {@link ExitCode#FILES} if the file cannot be written
     */
    public static void write(
            Path file, String session, List<String> sentences, List<Chart> charts, Document tables, String json)
            throws LagbenchException {
        List<Section> sections = new ArrayList<>();
        if (!charts.isEmpty()) {
            ReportChart chart =
                    ReportChart.ofFixed("candidates", "Candidates", "The means over the runs of each.", charts);
            sections.add(Section.of("candidates", "Candidates", "fixed-chart", chart));
        }
        sections.add(Section.of("tables", "Tables", "tables", tables));
        new Page(session, String.join(" ", sentences), List.of(), sections, json).write(file);
    }
}
