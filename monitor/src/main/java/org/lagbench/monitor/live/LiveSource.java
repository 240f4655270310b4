package org.lagbench.monitor.live;

import java.io.IOException;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;

/** Answers the requests for one path. Any thread may call it, several at the same time. */
public interface LiveSource {
    /**
     * Returns the answer.
     *
     * @param query the decoded parameters
     * @throws IllegalArgumentException if a parameter is wrong; the message says which
     */
    LiveAnswer answer(Map<String, String> query) throws IOException, LagbenchException;

    /**
     * Returns the answer in a form that the client accepts, if there are several.
     *
     * @param accept the request's Accept header; empty if it has none
     */
    default LiveAnswer answer(Map<String, String> query, String accept) throws IOException, LagbenchException {
        return answer(query);
    }
}
