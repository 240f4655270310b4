package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/**
 * Received − scheduled of each packet that came, its first copy, in the order of arrival: the lag that an application
 * with that schedule sees. Unlike {@link TransmitLag} it does not leave out the time that a sender held up by the
 * network could not send in (coordinated omission).
 */
final class LagFromSchedule implements Series {
    @Override
    public String name() {
        return "lagFromSchedule";
    }

    @Override
    public String title() {
        return "Lag from the scheduled time";
    }

    @Override
    public boolean needsSchedule() {
        return true;
    }

    @Override
    public long places(JoinedRun run) {
        return run.received();
    }

    @Override
    public void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        Lags.forEach(run, true, from, until, consumer);
    }
}
