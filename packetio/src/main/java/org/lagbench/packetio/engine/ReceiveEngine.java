package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.PacketThread;

/**
 * What takes the packets of one run from the network, counts them and puts their stamps into the run's capture. One
 * thread calls all but {@link #kernelDrops}, {@link #busResets} and {@link #close}, which any thread may call.
 */
public interface ReceiveEngine extends AutoCloseable {
    /** What the sender must know to connect. */
    Map<String, String> announce();

    /** Begins to take packets. */
    void start();

    /** The thread that takes packets, as the platform knows it; null if it does not. Waits until that has begun. */
    @Nullable
    PacketThread awaitThread();

    /** What has come up to now, or to the end. */
    ReceivedCounts tally();

    /**
     * Waits until all packets have come, or none has for {@code drainMs}, or none can any more. Time in which this
     * machine was stopped, or had no time for it, does not count. No packet may be taken any more when it returns.
     */
    void drain(long drainMs);

    /** Whether {@link #drain} has come to its end. */
    boolean isDrained();

    /** Packets that this host dropped for want of buffer since it was opened, or −1 if the platform does not tell. */
    long kernelDrops();

    /** Resets of the bus that were noticed since it was opened; 0 where there is no bus. */
    long busResets();

    /**
     * Ends the recording of stages, if there is one, and closes its files. Once or more.
     *
     * @throws IOException if something was not recorded
     */
    default void endStages() throws IOException {}

    /** What there is to tell in {@code run.json}: names with units. */
    Map<String, Object> metadata();

    /** Gives back all that was taken; nothing is put into the capture any more when it returns. Once or more. */
    @Override
    void close();
}
