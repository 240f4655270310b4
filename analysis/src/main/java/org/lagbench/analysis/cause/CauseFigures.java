package org.lagbench.analysis.cause;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.failure.LagbenchException;

/**
 * What made the tails of one run or of several, each value judged within its run.
 *
 * @param lag the transmit lag
 * @param lagFromSchedule the lag from the scheduled time; null without a schedule
 * @param losses the packets that did not come
 */
public record CauseFigures(TailCauses lag, @Nullable TailCauses lagFromSchedule, LossCauses losses) {
    /**
     * Of a run.
     *
     * @param directory the run's
     * @param lag the statistics of its transmit lag
     * @param lagFromSchedule those of its lag from the scheduled time; null without a schedule
     * @param kernelDrops how many packets the receiver's kernel dropped; null if that is not known
     * @return null if a side did not record causes
     */
    public static @Nullable CauseFigures of(
            Path directory,
            JoinedRun run,
            SeriesStatistics lag,
            @Nullable SeriesStatistics lagFromSchedule,
            @Nullable Long kernelDrops)
            throws LagbenchException {
        EventTimeline sender = EventTimeline.read(directory.resolve(EventsCapture.SENDER_FILE_NAME));
        EventTimeline receiver = EventTimeline.read(directory.resolve(EventsCapture.RECEIVER_FILE_NAME));
        if (sender == null || receiver == null) {
            return null;
        }
        return new CauseFigures(
                attribution(run, sender, receiver, lag).shares(JoinedRun::sentNs),
                lagFromSchedule == null
                        ? null
                        : attribution(run, sender, receiver, lagFromSchedule).shares(JoinedRun::scheduledNs),
                LossCauses.of(run, receiver, lag, kernelDrops));
    }

    /** The values above the 99 % quantile. */
    private static Attribution attribution(
            JoinedRun run, EventTimeline sender, EventTimeline receiver, SeriesStatistics statistics) {
        return new Attribution(
                run,
                sender,
                receiver,
                statistics.medianNs(),
                statistics.withoutQ99().quantileNs());
    }

    /** Of both together. */
    public CauseFigures plus(CauseFigures other) {
        return new CauseFigures(
                lag.plus(other.lag),
                lagFromSchedule == null || other.lagFromSchedule == null
                        ? null
                        : lagFromSchedule.plus(other.lagFromSchedule),
                losses.plus(other.losses));
    }
}
