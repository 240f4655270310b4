package org.lagbench.analysis.clock;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** The stamps of a run's packets, in the order of arrival. Not thread-safe. */
interface OneWayLags {
    long arrivals();

    /** Passes the first copies among consecutive arrivals to the consumer. */
    void forEach(long from, long until, Consumer consumer) throws LagbenchException;

    /** Accepts the stamps of a packet, each in ns since the epoch on the clock of its side. */
    @FunctionalInterface
    interface Consumer {
        void accept(long arrival, long sentNs, long receivedNs);
    }

    /** Returns the stamps in the captures of a run. */
    static OneWayLags of(JoinedRun run) {
        return new OneWayLags() {
            @Override
            public long arrivals() {
                return run.received();
            }

            @Override
            public void forEach(long from, long until, Consumer consumer) throws LagbenchException {
                run.forEachFirstCopy(
                        from,
                        until,
                        (arrival, packet) -> consumer.accept(arrival, run.sentNs(packet), run.receivedNs(arrival)));
            }
        };
    }
}
