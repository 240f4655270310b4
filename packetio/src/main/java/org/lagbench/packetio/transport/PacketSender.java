package org.lagbench.packetio.transport;

import java.io.IOException;
import java.util.Map;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;

/**
 * The sending side of one run. One thread calls everything but {@link #close()}; any thread may close, once or more,
 * which makes a blocked {@link #send} or {@link #flush} end with an exception. Closing gives back all that was taken.
 */
public interface PacketSender extends AutoCloseable {
    /** What the receiver must know before it opens: for IEEE-1394 the channel, for sockets nothing. */
    Map<String, String> announce();

    /**
     * Connects to the receiver.
     *
     * @param receiverAnnounced what the receiver's {@link PacketReceiver#announce()} gave
     */
    void connect(Map<String, String> receiverAnnounced) throws LagbenchException;

    /**
     * Sends one packet and appends its record to the capture: stamped just before the packet is handed to the network
     * (the same stamp is in the packet) and just after. Blocks while the network takes no more. May keep the packet
     * back to hand over several at once, until {@link #push()} or its own batch limit; the stamps are true all the
     * same. Does the same for the first recorded packet as for any other. Allocates nothing.
     *
     * @param sequence the sequence number, negative in the warm-up
     * @param scheduledNs when the pacer wanted the packet out, CLOCK_REALTIME; {@link SenderCapture#UNSCHEDULED} in a
     *     flood
     */
    void send(long sequence, long scheduledNs, SenderCapture capture) throws IOException;

    /**
     * Hands over what {@link #send} kept back. A paced sender calls it after the last packet that is due. Allocates
     * nothing.
     */
    void push() throws IOException;

    /** Pushes, then waits until the network has taken all (IEEE-1394: the queue has been transmitted). */
    void flush() throws IOException;

    /**
     * What the platform granted and counted, for {@code run.json}: names with units, such as {@code sendBufferBytes}.
     * Values are numbers, booleans or text. Valid after {@link #connect} until closed.
     */
    Map<String, Object> metadata();

    /**
     * Ends the recording of stages, if there is one, and closes its files; without a call closing does. Once or more.
     *
     * @throws IOException if something was not recorded
     */
    default void endStages() throws IOException {}

    @Override
    void close();
}
