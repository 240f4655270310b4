package org.lagbench.report.page;

import gg.jte.Content;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.lagbench.core.failure.ForeignText;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.report.chart.ReportChart;

/**
 * The model of the page's template.
 *
 * @param measured what was measured, in one line
 * @param marks the warnings
 * @param sections the first is the picture that answers the question of the session
 * @param summary the content of summary.json
 * @param style the page's style sheet
 * @param script the page's script
 */
public record Page(
        String session,
        String measured,
        List<String> marks,
        List<Section> sections,
        String summary,
        String style,
        String script) {
    private static final TemplateEngine TEMPLATES = TemplateEngine.createPrecompiled(ContentType.Html);

    /**
     * Creates a page with the style and the script of every page.
     *
     * @param summary JSON, which is escaped here so that no text in it can end its element
     */
    Page(String session, String measured, List<String> marks, List<Section> sections, String summary) {
        this(session, measured, marks, sections, summary.replace("<", "\\u003c"), Assets.style(), Assets.script());
    }

    /**
     * A section below a heading.
     *
     * @param id its anchor: letters and hyphens
     */
    public record Section(String id, String title, Content content) {
        /** Returns a section by a template of {@code sections}. */
        static Section of(String id, String title, String template, Object model) {
            String file = "sections/" + template + ".jte";
            return new Section(id, title, output -> TEMPLATES.render(file, model, output));
        }

        /** Returns a section with a chart. */
        static Section of(ReportChart chart) {
            return of(chart.id(), chart.title(), chart.isZoomable() ? "chart" : "fixed-chart", chart);
        }
    }

    /** Returns the Content-Security-Policy: only this style and this script, and no requests. */
    public String policy() {
        return "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script)
                + "; base-uri 'none'; form-action 'none'";
    }

    /** Writes the page by its template. */
    void write(Path file) throws LagbenchException {
        StringOutput html = new StringOutput();
        TEMPLATES.render("page.jte", this, html);
        WholeFile.write(file, ForeignText.lines(html.toString()));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }

    /** Returns a text whose lines never end between a number and its unit, or between a sign and its number. */
    public static String unbroken(String text) {
        return text.replaceAll("(?<=\\d) (?=[\\p{L}%=])|(?<=[±<>≤≥=]) (?=[\\p{L}\\d])|(?<= n) (?==)", "\u00A0");
    }
}
