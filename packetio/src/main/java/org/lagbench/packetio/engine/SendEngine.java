package org.lagbench.packetio.engine;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;

/**
 * What sends the packets of one run and puts their stamps into the run's capture. One thread calls all but
 * {@link #lastSequence}, {@link #stop} and {@link #close}, which any thread may call. Closing gives back all that was
 * taken, and makes {@link #send} end; the capture then has the records of all that was sent.
 */
public interface SendEngine extends AutoCloseable {
    /** What the receiver must know before it opens. */
    Map<String, String> announce();

    /**
     * Connects to the receiver.
     *
     * @param receiverAnnounced what {@link ReceiveEngine#announce} gave there
     */
    void connect(Map<String, String> receiverAnnounced) throws LagbenchException;

    /**
     * The thread that sends, as the platform knows it; null if it does not. Valid in the thread that calls
     * {@link #send}.
     */
    @Nullable
    PacketThread thread();

    /**
     * Sends the packets numbered from {@code first} to {@code end}, {@code end} not included, and waits until the
     * network has taken them all.
     *
     * @param pace when each is to leave; the first at once
     * @throws java.io.InterruptedIOException if it was stopped before the last packet
     */
    void send(long first, long end, Pace pace) throws IOException;

    /** The number of a packet sent not long ago, of the last one once {@link #send} has ended; else the least long. */
    long lastSequence();

    /** Makes {@link #send} end soon, now and later. */
    void stop();

    /**
     * Ends the recording of stages, if there is one, and closes its files. Once or more.
     *
     * @throws IOException if something was not recorded
     */
    default void endStages() throws IOException {}

    /** What there is to tell in {@code run.json}: names with units. */
    Map<String, Object> metadata();

    @Override
    void close();
}
