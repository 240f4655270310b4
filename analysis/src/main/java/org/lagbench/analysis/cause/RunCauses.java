package org.lagbench.analysis.cause;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.failure.LagbenchException;

/** What both sides of a run recorded of causes, ready to be laid over its lags. */
public final class RunCauses {
    private final JoinedRun run;
    private final EventTimeline sender;
    private final EventTimeline receiver;
    private final Tail tail;

    private RunCauses(JoinedRun run, EventTimeline sender, EventTimeline receiver, Tail tail) {
        this.run = run;
        this.sender = sender;
        this.receiver = receiver;
        this.tail = tail;
    }

    /**
     * Reads them.
     *
     * @param directory the run's
     * @param tail which lags are judged
     * @return null if a side did not record causes
     */
    public static @Nullable RunCauses open(Path directory, JoinedRun run, Tail tail) throws LagbenchException {
        EventTimeline sender = EventTimeline.read(directory.resolve(EventsCapture.SENDER_FILE_NAME));
        EventTimeline receiver = EventTimeline.read(directory.resolve(EventsCapture.RECEIVER_FILE_NAME));
        return sender == null || receiver == null ? null : new RunCauses(run, sender, receiver, tail);
    }

    /** Those of the transmit lag. */
    public Attribution lag() throws LagbenchException {
        return lag(SeriesStatistics.of(values(Series.TRANSMIT_LAG)));
    }

    /** Those of the lag from the scheduled time, of a run that has a schedule. */
    public Attribution lagFromSchedule() throws LagbenchException {
        return lagFromSchedule(SeriesStatistics.of(values(Series.LAG_FROM_SCHEDULE)));
    }

    Attribution lag(SeriesStatistics statistics) throws LagbenchException {
        return attribution(Series.TRANSMIT_LAG, statistics, JoinedRun::sentNs);
    }

    Attribution lagFromSchedule(SeriesStatistics statistics) throws LagbenchException {
        return attribution(Series.LAG_FROM_SCHEDULE, statistics, JoinedRun::scheduledNs);
    }

    EventTimeline receiver() {
        return receiver;
    }

    private Attribution attribution(Series series, SeriesStatistics statistics, Attribution.Departure departure)
            throws LagbenchException {
        return new Attribution(
                run, departure, sender, receiver, statistics.medianNs(), tail.limitNs(values(series), statistics));
    }

    private LongValues values(Series series) {
        return consumer -> series.forEach(run, consumer);
    }
}
