package org.lagbench.analysis.series;

import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * Received − scheduled of each packet that came, its first copy, in the order of arrival: the lag that an application
 * with that schedule sees. Unlike {@link TransmitLag} it does not leave out the time that a sender held up by the network
 * could not send in (coordinated omission).
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
    public void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        for (long i = 0; i < run.received(); i++) {
            if (run.isFirstCopy(i)) {
                consumer.accept(run.receivedNs(i) - run.scheduledNs(run.packetOf(i)));
            }
        }
    }
}
