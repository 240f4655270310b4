package org.lagbench.analysis.join;

import org.lagbench.core.failure.LagbenchException;

/** Accepts arrivals with their packets. */
@FunctionalInterface
public interface ArrivalConsumer {
    /** Accepts an arrival and the sequence number of its packet. */
    void accept(long arrival, long packet) throws LagbenchException;
}
