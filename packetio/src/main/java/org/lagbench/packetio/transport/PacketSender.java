package org.lagbench.packetio.transport;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;

/**
 * The sending side of one run. One thread calls all methods except {@link #close()}, which any thread may call. Closing
 * makes a blocked {@link #send} or {@link #flush} throw an exception. The metadata is valid from {@link #connect} until
 * closed.
 */
public interface PacketSender extends EngineSide {
    /**
     * Connects to the receiver.
     *
     * @param receiverAnnounced what the receiver's {@link PacketReceiver#announce()} returned
     */
    void connect(Map<String, String> receiverAnnounced) throws LagbenchException;

    /**
     * Sends one packet and appends its record to the capture: stamped just before the call that sends it (the packet
     * carries that stamp) and just after. Blocks while the network accepts no more. May buffer the packet to send
     * several by one call, until {@link #push()} or a full batch; the stamps are still those of that call. Treats the
     * first recorded packet like any other. Allocates nothing.
     *
     * @param sequence the sequence number, negative in the warm-up
     * @param scheduledNs the packet's scheduled time, CLOCK_REALTIME; {@link SenderCapture#UNSCHEDULED} in a flood
     */
    void send(long sequence, long scheduledNs, SenderCapture capture) throws IOException;

    /** Sends the packets that {@link #send} buffered. Called after the last packet that is due. Allocates nothing. */
    default void push() throws IOException {}

    /**
     * Returns what the kernel has retransmitted so far, also after {@link #close()}; null if the transport does not
     * retransmit, or this machine does not report it. Any thread may call it.
     */
    default @Nullable Retransmissions retransmissions() {
        return null;
    }

    /**
     * Opens the receiving side of the replies, once connected. Another thread may receive from it; closing this sender
     * closes it as well.
     *
     * @param timeoutNs how long a call waits for datagrams before it returns 0, in ns; 0 for no limit
     */
    default PacketReceiver openReplies(long timeoutNs) throws IOException, LagbenchException {
        throw new UnsupportedOperationException("this sender does not receive replies");
    }

    /** Pushes, then waits until the network has accepted all packets (IEEE-1394: the queue has been transmitted). */
    void flush() throws IOException;
}
