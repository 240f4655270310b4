package org.lagbench.web;

/**
 * The server's answer to a request.
 *
 * @param status the HTTP status
 * @param type the media type of the body
 */
public record LiveAnswer(int status, String type, String body) {
    private static final String TEXT = "text/plain; charset=utf-8";

    public static LiveAnswer ok(String type, String body) {
        return new LiveAnswer(200, type, body);
    }

    public static LiveAnswer json(String body) {
        return ok("application/json", body);
    }

    /** Returns a refusal; the sentence says why. */
    public static LiveAnswer refusal(int status, String sentence) {
        return new LiveAnswer(status, TEXT, sentence + "\n");
    }
}
