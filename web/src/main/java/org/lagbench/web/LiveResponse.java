package org.lagbench.web;

import java.io.IOException;
import java.util.Map;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.core.failure.LagbenchException;

/**
 * The server's response to a request.
 *
 * @param status the HTTP status
 * @param type the media type of the body
 */
public record LiveResponse(int status, String type, String body) {
    private static final String TEXT = "text/plain; charset=utf-8";

    public static LiveResponse ok(String type, String body) {
        return new LiveResponse(200, type, body);
    }

    /** Returns a value as JSON. */
    public static LiveResponse json(Object value) {
        return ok("application/json", ResultMapper.tree(value).toString());
    }

    /** Returns a refusal; the sentence says why. */
    public static LiveResponse refusal(int status, String sentence) {
        return new LiveResponse(status, TEXT, sentence + "\n");
    }

    /** Answers the requests for one path. Any thread may call it, several at the same time. */
    @FunctionalInterface
    public interface Source {
        /**
         * Returns the reply.
         *
         * @param query the decoded parameters
         * @param accept the request's Accept header; empty if the request has none
         * @throws IllegalArgumentException if a parameter is wrong; the message says which
         */
        LiveResponse answer(Map<String, String> query, String accept) throws IOException, LagbenchException;
    }
}
