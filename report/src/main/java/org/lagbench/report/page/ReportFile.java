package org.lagbench.report.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;

/**
 * The report of a session: one self-contained HTML file. Equal sessions give equal bytes.
 *
 * <p>Its size is bounded for any number of packets (see {@link org.lagbench.report.chart.ReportCharts}). Writing it
 * needs a few times its size in memory, besides that of {@link org.lagbench.analysis.summary.Summaries}.
 */
public final class ReportFile {
    /** The file's name in a session directory. */
    public static final String NAME = "report.html";

    private ReportFile() {}

    /**
     * Writes the report. A reader finds the old file or the new one, never a part of it.
     *
     * @param session the session of the summary
     * @throws LagbenchException with {@link ExitCode#FILES} if a capture cannot be read or the file cannot be written
     */
    public static void write(Path file, Session session, Summary summary) throws LagbenchException {
        TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);
        // escaped, so that no text in it can end its element
        String json = TableFormat.tree(summary).toString().replace("<", "\\u003c");
        Page page = new Page(
                summary.session(),
                warnings(summary),
                Headlines.of(summary),
                new ReportSections(engine).of(session, summary),
                json,
                Assets.style(),
                Assets.script());
        page.write(file, engine);
    }

    /** Returns the warnings shown above all figures, then the marks of the tables. */
    private static List<String> warnings(Summary summary) {
        Document lag = Document.of(summary, TableView.LAG);
        return Stream.concat(lag.warnings().stream(), lag.marks().stream())
                .map(warning -> warning.replaceFirst("^! ", ""))
                .distinct()
                .toList();
    }
}
