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
import org.lagbench.report.table.TableView;

/**
 * The report of a session: one file of HTML that needs nothing else. The same session gives the same bytes.
 *
 * <p>Its size is bounded whatever the number of packets: see {@link CurveResolution}. So is the memory it takes, which
 * is a few times that size besides what {@link org.lagbench.analysis.summary.Summaries} takes.
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
        ReportContext context = new ReportContext(session, summary, ShownRun.of(session, summary));
        WholeFile.write(file, new ReportFile().html(context));
    }

    private String html(ReportContext context) throws LagbenchException {
        List<RenderedSection> sections = ReportSections.of(context).stream()
                .map(section -> new RenderedSection(section.id(), section.title(), rendered(section)))
                .toList();
        Document document = Document.of(context.summary(), TableView.LAG);
        return rendered(
                "page",
                new Page(
                        context.summary().session(),
                        document.marks(),
                        Answers.of(context.summary()),
                        sections,
                        PageData.of(context),
                        Assets.style(),
                        Assets.d3(),
                        Assets.d3Licence(),
                        Assets.script()));
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
