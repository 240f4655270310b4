package org.lagbench.report.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.capacity.MatrixChart;
import org.lagbench.report.capacity.MatrixDocument;
import org.lagbench.report.capacity.MatrixMetric;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.PageSvg;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.TableFormat;

/** The report of a matrix: one self-contained HTML file with a heat map of each figure. */
public final class MatrixReportFile {
    private MatrixReportFile() {}

    /**
     * Writes the report atomically: a reader sees either the old file or the complete new file.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if the file cannot be written
     */
    public static void write(Path file, MatrixResult result) throws LagbenchException {
        TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);
        List<Section> sections = new ArrayList<>();
        for (MatrixMetric metric : MatrixMetric.values()) {
            Chart chart = MatrixChart.of(result, metric);
            sections.add(section(engine, metric.text(), chart.title(), "fixed-chart", chart(metric.text(), chart)));
        }
        if (!result.sharings().isEmpty()) {
            Chart groups = MatrixChart.ofGroups(result);
            sections.add(section(engine, "bottlenecks", groups.title(), "fixed-chart", chart("bottlenecks", groups)));
        }
        sections.add(section(engine, "tables", "Tables", "tables", MatrixDocument.of(result)));
        long missing =
                result.pairs().stream().filter(pair -> pair.failure() != null).count();
        Page page = new Page(
                result.name(),
                Numbers.grouped(result.sites().size()) + " sites with "
                        + Numbers.grouped(result.pairs().size()) + " directed pairs, "
                        + Numbers.grouped(missing) + " of them missing or incomplete.",
                List.of(),
                sections,
                MatrixDocument.result(result).text(TableFormat.JSON).replace("<", "\\u003c"),
                Assets.style(),
                Assets.script());
        page.write(file, engine);
    }

    private static Section section(TemplateEngine engine, String id, String title, String template, Object model) {
        return new Section(id, title, output -> engine.render("sections/" + template + ".jte", model, output));
    }

    private static ReportChart chart(String id, Chart chart) {
        return new ReportChart(
                id,
                chart.title(),
                chart.title() + " from each site to each other",
                "Rows send, columns receive.",
                false,
                null,
                List.of(new ReportChart.PageDrawing(
                        null, chart.title(), PageSvg.fixed(chart, id + "-"), chart.notes())),
                null);
    }
}
