package org.lagbench.packetio.engine;

import java.util.Map;
import org.lagbench.packetio.transport.ReceivedCounts;

/** Writes the counts of answers into {@code run.json}. */
final class AnswerCounts {
    private AnswerCounts() {}

    /** Adds the counts: answers received (copies included), copies, and foreign packets at the sender's socket. */
    static void put(ReceivedCounts counts, Map<String, Object> into) {
        into.put("answersReceived", counts.received());
        into.put("answersDuplicated", counts.duplicated());
        into.put("answersForeign", counts.foreign());
    }
}
