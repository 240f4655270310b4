package org.lagbench.web;

import java.io.IOException;
import java.util.Map;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.failure.LagbenchException;

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

    /** Returns a value as JSON. */
    public static LiveAnswer json(Object value) {
        return ok("application/json", ResultMapper.tree(value).toString());
    }

    /** Returns a refusal; the sentence says why. */
    public static LiveAnswer refusal(int status, String sentence) {
        return new LiveAnswer(status, TEXT, sentence + "\n");
    }

    /** Answers the requests for one path. Any thread may call it, several at the same time. */
    @FunctionalInterface
    public interface Source {
        /**
         * Returns the answer.
         *
         * @param query the decoded parameters
         * @param accept the request's Accept header; empty if the request has none
         * @throws IllegalArgumentException if a parameter is wrong; the message says which
         */
        LiveAnswer answer(Map<String, String> query, String accept) throws IOException, LagbenchException;
    }
}
