package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.MatrixMetric;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.TableFormat;

/** The report of a matrix: one self-contained HTML file that opens with a heat map of each metric. */
public final class MatrixReportFile {
    private MatrixReportFile() {}

    /**
     * Writes the report atomically: a reader sees either the old file or the complete new file.
     *
     * @param judgments what the requirements of the matrix found
     * @param all the tables and the JSON
     * @throws LagbenchException with {@link ExitCode#FILES} if the file cannot be written
     */
    public static void write(Path file, MatrixResult result, List<Judgment> judgments, Result all)
            throws LagbenchException {
        List<Section> sections = new ArrayList<>();
        List<Chart> maps = new ArrayList<>();
        for (MatrixMetric metric : MatrixMetric.values()) {
            maps.add(MatrixChart.of(result, metric, judgments));
        }
        if (!result.sharings().isEmpty()) {
            maps.add(MatrixChart.ofGroups(result));
        }
        sections.add(Section.of(
                "maps",
                "Maps",
                "fixed-chart",
                ReportChart.ofFixed("maps", "Maps", "Rows send, columns receive.", maps)));
        sections.add(Section.of("tables", "Tables", "tables", all.document().get()));
        long missing =
                result.pairs().stream().filter(pair -> pair.failure() != null).count();
        Page page = new Page(
                result.name(),
                Numbers.grouped(result.sites().size()) + " sites with "
                        + Numbers.grouped(result.pairs().size()) + " directed pairs, "
                        + Numbers.grouped(missing) + " of them missing or incomplete.",
                List.of(),
                sections,
                all.text(TableFormat.JSON));
        page.write(file);
    }
}
