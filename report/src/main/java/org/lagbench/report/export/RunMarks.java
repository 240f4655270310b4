package org.lagbench.report.export;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Warnings and state of an exported run.
 *
 * @param state the state of a run that is not complete and intact, such as "broken"; null for others
 * @param sentences what is wrong with the run; usually none
 */
record RunMarks(@Nullable String state, List<String> sentences) {
    RunMarks {
        sentences = List.copyOf(sentences);
    }
}
