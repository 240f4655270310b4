package org.lagbench.analysis.cause;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.failure.LagbenchException;

/**
 * What made the tails of one run or of several, each value judged within its run.
 *
 * @param tail which values are the tail
 * @param lag the transmit lag
 * @param lagFromSchedule the lag from the scheduled time; null without a schedule
 * @param losses the packets that did not come
 */
public record CauseFigures(Tail tail, TailCauses lag, @Nullable TailCauses lagFromSchedule, LossCauses losses) {
    /**
     * Of a run.
     *
     * @param directory the run's
     * @param lag the statistics of its transmit lag
     * @param lagFromSchedule those of its lag from the scheduled time; null without a schedule
     * @param kernelDrops how many packets the receiver's kernel dropped; null if that is not known
     * @param tail which values are judged
     * @return null if a side did not record causes
     */
    public static @Nullable CauseFigures of(
            Path directory,
            JoinedRun run,
            SeriesStatistics lag,
            @Nullable SeriesStatistics lagFromSchedule,
            @Nullable Long kernelDrops,
            Tail tail)
            throws LagbenchException {
        RunCauses causes = RunCauses.open(directory, run, tail);
        if (causes == null) {
            return null;
        }
        return new CauseFigures(
                tail,
                causes.lag(lag).shares(),
                lagFromSchedule == null
                        ? null
                        : causes.lagFromSchedule(lagFromSchedule).shares(),
                LossCauses.of(run, causes.receiver(), lag, kernelDrops));
    }

    /** Of both together, whose tails are the same. */
    public CauseFigures plus(CauseFigures other) {
        return new CauseFigures(
                tail,
                lag.plus(other.lag),
                lagFromSchedule == null || other.lagFromSchedule == null
                        ? null
                        : lagFromSchedule.plus(other.lagFromSchedule),
                losses.plus(other.losses));
    }
}
