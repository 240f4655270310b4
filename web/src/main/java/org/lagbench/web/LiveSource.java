package org.lagbench.web;

import java.io.IOException;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;

/** Answers the requests for one path. Any thread may call it, several at the same time. */
@FunctionalInterface
public interface LiveSource {
    /**
     * Returns the answer.
     *
     * @param query the decoded parameters
     * @param accept the request's Accept header; empty if the request has none
     * @throws IllegalArgumentException if a parameter is wrong; the message says which
     */
    LiveAnswer answer(Map<String, String> query, String accept) throws IOException, LagbenchException;
}
