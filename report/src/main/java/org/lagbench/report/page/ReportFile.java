package org.lagbench.report.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.report.page.Page.RenderedSection;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;

/**
 * The report of a session: one file of HTML that needs nothing else. The same session gives the same bytes.
 *
 * <p>Its size is bounded whatever the number of packets: see {@link org.lagbench.report.figure.ReportCharts}. So is the
 * memory it takes, which is a few times that size besides what {@link org.lagbench.analysis.summary.Summaries} takes.
 */
public final class ReportFile {
    /** The file's name in a session directory. */
    public static final String NAME = "report.html";

    private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

    private ReportFile() {}

    /**
     * Makes the report, or makes it again. A reader finds the old one or the new one, never half a file.
     *
     * @param file where it is written
     * @param session where the summary comes from
     * @throws LagbenchException with {@link ExitCode#FILES} if a capture cannot be read or the file not be written
     */
    public static void write(Path file, Session session, Summary summary) throws LagbenchException {
        WholeFile.write(file, new ReportFile().html(session, summary));
    }

    private String html(Session session, Summary summary) throws LagbenchException {
        List<RenderedSection> sections = ReportSections.of(session, summary).stream()
                .map(section -> new RenderedSection(section.id(), section.title(), rendered(section)))
                .toList();
        Document document = Document.of(summary, TableView.LAG);
        return rendered(
                "page",
                new Page(
                        summary.session(),
                        document.marks(),
                        Headlines.of(summary),
                        sections,
                        summaryJson(summary),
                        Assets.style(),
                        Assets.script()));
    }

    /** The summary as summary.json has it, such that no text in it can end the element that it stands in. */
    private static String summaryJson(Summary summary) {
        return TableFormat.tree(summary).toString().replace("<", "\\u003c");
    }

    private String rendered(ReportSection section) {
        return rendered("sections/" + section.template(), section.model());
    }

    private String rendered(String template, Object model) {
        StringOutput output = new StringOutput();
        engine.render(template + ".jte", model, output);
        return output.toString();
    }
}
