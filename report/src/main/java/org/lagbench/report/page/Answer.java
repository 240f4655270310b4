package org.lagbench.report.page;

import java.util.List;

/**
 * One answer of the first screen.
 *
 * @param question what it answers
 * @param sentences the answer
 */
public record Answer(String question, List<String> sentences) {
    public Answer {
        sentences = List.copyOf(sentences);
    }
}
