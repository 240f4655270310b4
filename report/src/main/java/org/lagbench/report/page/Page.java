package org.lagbench.report.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/**
 * What the template of the page is given.
 *
 * @param session the session's name
 * @param marks what must not be missed
 * @param answers what it says first
 * @param sections its sections in their order
 * @param summary what summary.json has
 * @param style its style
 * @param script the page's own script
 */
public record Page(
        String session,
        List<String> marks,
        List<Headline> answers,
        List<RenderedSection> sections,
        String summary,
        String style,
        String script) {

    /**
     * A section that has been made.
     *
     * @param id by which it is linked to
     * @param title its heading
     * @param html what is below the heading
     */
    public record RenderedSection(String id, String title, String html) {}

    /** What a browser may do with the page: run these scripts and this style, and fetch nothing at all. */
    public String policy() {
        return "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script)
                + "; base-uri 'none'; form-action 'none'";
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
