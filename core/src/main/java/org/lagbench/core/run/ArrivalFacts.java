package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;

/**
 * The source of the kernel's receive stamps in a {@link ReceiverCapture}. Each is null if there is nothing to say.
 *
 * @param kernelStamps {@link #OBSERVER}, or why the stamps have another source or are missing
 * @param packetsWithoutKernelStamp the number of received packets that the observer could not match
 * @param arrivalsLost the number of arrivals that could not be recorded
 */
public record ArrivalFacts(
        @Nullable String kernelStamps, @Nullable Long packetsWithoutKernelStamp, @Nullable Long arrivalsLost)
        implements SideFacts {
    /** The source of stamps of which each packet has its own, also in a stream. */
    public static final String OBSERVER = "the observer in the kernel";

    /** Returns whether each packet has its own stamp. */
    public boolean areOfObserver() {
        return OBSERVER.equals(kernelStamps);
    }
}
