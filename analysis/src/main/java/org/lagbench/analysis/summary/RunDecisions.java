package org.lagbench.analysis.summary;

import java.util.List;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.core.run.DecidedObservation;
import org.lagbench.core.run.RunRecord;

/** What the runs of a point observed, where that was left to them. */
final class RunDecisions {
    private RunDecisions() {}

    /** Returns a mark for each run whose packets were observed, if those of others of its point were not. */
    static List<RunMark> marks(List<RunRecord> runs) {
        List<RunRecord> observed = runs.stream()
                .filter(run -> Stream.ofNullable(run.decision()).anyMatch(DecidedObservation::isOfAllPackets))
                .toList();
        return observed.size() == runs.size()
                ? List.of()
                : observed.stream()
                        .map(run -> new RunMark(
                                run.name(),
                                "The observers recorded all packets, but not those of other runs of the same point:"
                                        + " they add less than 2 % to a lag, by expectation. To observe none of them,"
                                        + " set observe: none."))
                        .toList();
    }
}
