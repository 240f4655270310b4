package org.lagbench.report.export;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a reader of an exported run must know.
 *
 * @param state the state of a run that is not complete and intact, such as "broken"; null for others
 * @param sentences what is wrong with the run; usually none
 */
record RunMarks(@Nullable String state, List<String> sentences) {
    RunMarks {
        sentences = List.copyOf(sentences);
    }
}
