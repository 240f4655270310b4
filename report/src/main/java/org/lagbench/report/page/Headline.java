package org.lagbench.report.page;

import java.util.List;

/**
 * One answer of the first screen.
 *
 * @param question what it answers
 * @param sentences the answer
 */
public record Headline(String question, List<String> sentences) {
    public Headline {
        sentences = List.copyOf(sentences);
    }
}
