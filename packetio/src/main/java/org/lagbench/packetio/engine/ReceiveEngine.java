package org.lagbench.packetio.engine;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.packetio.transport.EngineSide;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/**
 * Receives the packets of one run, counts them and writes their stamps to the run's capture. One thread calls all
 * methods except {@link #kernelDrops}, {@link #busResets} and {@link #close}, which any thread may call. After
 * {@link #close} nothing more is written to the capture.
 */
public interface ReceiveEngine extends EngineSide {
    void start();

    /**
     * Waits until the receiving thread runs and returns it; null if it is unknown. Some engines know it when the sender
     * has connected.
     */
    @Nullable
    PacketThread awaitThread();

    /** Returns the counts so far, or the final ones once closed. */
    ReceivedCounts counts();

    /**
     * Waits until all packets were received, none was received for {@code drainMs}, or no more can be received. Time in
     * which this machine or process was stopped does not count. No packet is received after the return.
     */
    void drain(long drainMs);

    /** Returns whether {@link #drain} has completed. */
    boolean isDrained();

    /** Returns what {@link org.lagbench.packetio.transport.PacketReceiver#kernelDrops} does. */
    long kernelDrops();

    /** Returns the number of bus resets noticed since opening; 0 where there is no bus. */
    default long busResets() {
        return 0;
    }
}
