package org.lagbench.report.page;

import gg.jte.Content;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.report.chart.PlotColor;
import org.lagbench.report.chart.ReportChart;

/**
 * The model of the page's template.
 *
 * @param measured what was measured, in one line
 * @param marks the warnings
 * @param sections the first is the picture that answers the question of the session
 * @param summary JSON; it is escaped so that no text in it can end its element
 */
public record Page(String session, String measured, List<String> marks, List<Section> sections, String summary) {
    private static final TemplateEngine TEMPLATES = TemplateEngine.createPrecompiled(ContentType.Html);

    public Page {
        summary = summary.replace("<", "\\u003c");
    }

    /**
     * A section below a heading.
     *
     * @param id its anchor: letters and hyphens
     * @param isFolded whether a reader has to open it
     */
    public record Section(String id, String title, Content content, boolean isFolded) {
        /** Returns a section by a template of {@code sections}. */
        static Section of(String id, String title, String template, Object model) {
            String file = "sections/" + template + ".jte";
            return new Section(id, title, output -> TEMPLATES.render(file, model, output), false);
        }

        /** Returns the section with its contents hidden until a reader opens it. */
        Section folded() {
            return new Section(id, title, content, true);
        }

        /** Returns a section with a chart. */
        static Section of(ReportChart chart) {
            return of(chart.id(), chart.title(), chart.isZoomable() ? "chart" : "fixed-chart", chart);
        }
    }

    /** Returns the Content-Security-Policy: only this style and this script, and no requests. */
    public String policy() {
        return "default-src 'none'; img-src data:; style-src " + hash(style()) + "; script-src " + hash(script())
                + "; base-uri 'none'; form-action 'none'";
    }

    /** Writes the page by its template. */
    void write(Path file) throws LagbenchException {
        StringOutput html = new StringOutput();
        TEMPLATES.render("page.jte", this, html);
        AtomicFile.writeForOthers(file, UntrustedText.lines(html.toString()));
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

    /** Returns the style sheet of every page. */
    public String style() {
        return read(PlotColor.styleSheet(), "", "page.css", "tables.css", "charts.css", "print.css");
    }

    /** Returns the script of every page, which has no global names. */
    public String script() {
        return "(() => {\n\"use strict\";\n" + chartScript()
                + read("\n", "})();\n", "choice.js", "runs.js", "sparklines.js", "page.js");
    }

    /** Returns the functions of charts, which pages of other servers use too. */
    public static String chartScript() {
        return read("", "", "ticks.js", "axis.js", "drawing.js", "readout.js", "download.js", "chart.js");
    }

    /** Returns the style sheet of charts and of all pages around them. */
    public static String chartStyle() {
        return read("", "", "page.css", "charts.css");
    }

    private static String read(String prefix, String suffix, String... names) {
        return Stream.of(names)
                .map(name -> resource(Page.class, name))
                .collect(Collectors.joining("\n", prefix, suffix));
    }

    /** Returns the text of a resource next to a class. */
    public static String resource(Class<?> owner, String name) {
        try (InputStream stream = Objects.requireNonNull(owner.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
