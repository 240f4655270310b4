package org.lagbench.packetio.transport;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Settings;

/**
 * The parameters of a run that both sides of a transport need.
 *
 * @param tag the run's random tag, carried by every packet
 * @param packetBytes size of each packet in bytes, header included
 * @param host on the receiver the address to listen on, on the sender the receiver's address; numeric
 * @param settings the transport's settings, defaults included
 * @param socketApi how packets are sent and received over sockets
 * @param stages where the stages of the packets are recorded; null if they are not
 * @param floodEnd the sequence number of a flood's last packet, {@link #NO_FLOOD} for other runs. A receiver may
 *     receive several packets of a flood, each with its own stamp, before it passes them on; the last is passed on at
 *     once
 * @param listensAt on the sender the address at which it waits for the receiver to connect, if the transport has
 *     connections; null if the receiver listens
 * @param isAnswered whether the receiver answers each packet; a stream's packets may then have less than a header
 */
public record TransportRun(
        long tag,
        int packetBytes,
        String host,
        Settings settings,
        SocketApi socketApi,
        @Nullable StageRecording stages,
        long floodEnd,
        @Nullable String listensAt,
        boolean isAnswered) {
    /** The value of {@code floodEnd} for runs that are not floods. */
    public static final long NO_FLOOD = -1;

    public TransportRun {
        if (packetBytes < (isAnswered ? 1 : PacketLayout.HEADER_BYTES)) {
            throw new IllegalArgumentException("packet of " + packetBytes + " bytes is smaller than its header");
        }
    }

    /** Creates a run by system calls that is not a flood and records no stages. */
    public TransportRun(long tag, int packetBytes, String host, Settings settings) {
        this(tag, packetBytes, host, settings, SocketApi.SYSTEM_CALLS, null, NO_FLOOD, null, false);
    }

    /** Creates the parameters of a round-trip run by system calls. */
    public static TransportRun ofRoundTrips(long tag, int packetBytes, String host, Settings settings) {
        return new TransportRun(tag, packetBytes, host, settings, SocketApi.SYSTEM_CALLS, null, NO_FLOOD, null, true);
    }

    /** Returns whether packets carry a header. */
    public boolean hasHeader() {
        return PacketLayout.hasHeader(packetBytes);
    }

    /** Returns a copy of these parameters with another socket API. */
    public TransportRun with(SocketApi api) {
        return new TransportRun(tag, packetBytes, host, settings, api, stages, floodEnd, listensAt, isAnswered);
    }

    /** Returns a copy of these parameters for a run that records its packets' stages. */
    public TransportRun recording(StageRecording recording) {
        return new TransportRun(
                tag, packetBytes, host, settings, socketApi, recording, floodEnd, listensAt, isAnswered);
    }

    /** Returns a copy of these parameters for a flood that ends with this packet. */
    public TransportRun floodUntil(long lastSequence) {
        return new TransportRun(
                tag, packetBytes, host, settings, socketApi, stages, lastSequence, listensAt, isAnswered);
    }

    /** Returns a copy of these parameters for a sender to which the receiver connects. */
    public TransportRun listeningAt(String address) {
        return new TransportRun(tag, packetBytes, host, settings, socketApi, stages, floodEnd, address, isAnswered);
    }
}
