package org.lagbench.report.page;

import gg.jte.Content;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.text.ForeignText;

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
    /**
     * A section below a heading.
     *
     * @param id its anchor: letters and hyphens
     */
    public record Section(String id, String title, Content content) {}

    /** Returns the Content-Security-Policy: only this style and this script, and no requests. */
    public String policy() {
        return "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script)
                + "; base-uri 'none'; form-action 'none'";
    }

    /** Writes the page by its template. */
    void write(Path file, TemplateEngine engine) throws LagbenchException {
        StringOutput html = new StringOutput();
        engine.render("page.jte", this, html);
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
}
