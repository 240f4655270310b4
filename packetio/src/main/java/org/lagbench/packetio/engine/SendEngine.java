package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.transport.EngineSide;
import org.lagbench.packetio.transport.Retransmissions;

/**
 * Sends the packets of one run and writes their stamps to the run's capture. One thread calls all methods except
 * {@link #lastIndex}, {@link #stop} and {@link #close}, which any thread may call. Closing ends {@link #send}; the
 * capture then has the records of all packets that were sent.
 */
public interface SendEngine extends EngineSide {
    /**
     * Connects to the receiver.
     *
     * @param receiverAnnounced what {@link ReceiveEngine#announce} returned there
     */
    void connect(Map<String, String> receiverAnnounced) throws LagbenchException;

    /**
     * Returns the sending thread; null if the platform does not identify threads. Valid in the thread that calls
     * {@link #send}.
     */
    default @Nullable PacketThread thread() {
        return PacketThread.current();
    }

    /**
     * Sends the packets from {@code first} to {@code end}, exclusive, and waits until the network has accepted all.
     * Warm-up packets have negative places, recorded ones begin at 0, and the lead-out at {@link Phases#recorded}.
     *
     * @param pace when each packet is due, from the first on
     * @param startNs when the first is due, CLOCK_REALTIME in ns; at once if this is past, or in a flood
     * @throws java.io.InterruptedIOException if it was stopped before the last packet
     * @throws java.io.UncheckedIOException if the disk accepts no more stamps
     */
    void send(long first, long end, Pace pace, long startNs) throws IOException;

    /** Sends packets as {@link #send(long, long, Pace, long)}, the first at once. */
    default void send(long first, long end, Pace pace) throws IOException {
        send(first, end, pace, 0);
    }

    /**
     * Returns the index of a recently sent packet in the schedule, or of the last one after {@link #send};
     * {@link Long#MIN_VALUE} before the first.
     */
    long lastIndex();

    /**
     * Returns what the kernel has retransmitted so far, also after {@link #close()}; null if the transport does not
     * retransmit, or this machine does not report it. Any thread may call it.
     */
    default @Nullable Retransmissions retransmissions() {
        return null;
    }

    /** Returns a recent {@link #retransmissions} without waiting for another process, and requests a newer one. */
    default @Nullable Retransmissions recentRetransmissions() {
        return retransmissions();
    }

    /**
     * Ends the recording of chunks, if any, and closes its file. May be called more than once; closing does the same
     * without reporting failures.
     *
     * @throws IOException if something was not recorded
     */
    default void endChunkRecording() throws IOException {}

    /** Makes the current and every later {@link #send} end soon. */
    void stop();
}
