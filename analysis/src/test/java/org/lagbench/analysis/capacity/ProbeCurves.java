package org.lagbench.analysis.capacity;

import java.util.List;
import java.util.stream.IntStream;
import org.lagbench.core.capture.TransferFiles;

/** Curves of simulated or recorded states. */
final class ProbeCurves {
    private ProbeCurves() {}

    /** Returns the curve of the given states, each with the fields of a file. */
    static ProbeCurve of(List<long[]> states) {
        return new ProbeCurve(IntStream.range(0, TransferFiles.TCP_FIELDS.size())
                .mapToObj(field ->
                        states.stream().mapToLong(state -> state[field]).toArray())
                .toArray(long[][]::new));
    }
}
