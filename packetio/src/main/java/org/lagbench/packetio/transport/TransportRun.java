package org.lagbench.packetio.transport;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.packet.PacketLayout;

/**
 * What both sides of a transport must know of a run.
 *
 * @param tag the run's random tag, in every packet
 * @param packetBytes size of each packet, header included, in bytes
 * @param host on the receiver the address to listen on, on the sender the receiver's address; no name look-up is needed
 * @param settings the transport's settings, complete with defaults
 * @param calls by which packets go over sockets
 * @param stages where the stages of the packets are recorded; null if they are not
 * @param floodEnd the sequence number of the last packet of a flood, {@link #NO_FLOOD} for others. The packets of a
 *     flood may be received several at a time, each with its own stamp, and given a little later, but the last at once
 */
public record TransportRun(
        long tag,
        int packetBytes,
        String host,
        Settings settings,
        Calls calls,
        @Nullable StageRecording stages,
        long floodEnd) {
    /** The last sequence number of a run that is no flood. */
    public static final long NO_FLOOD = -1;

    public TransportRun {
        if (packetBytes < PacketLayout.HEADER_BYTES) {
            throw new IllegalArgumentException("packet of " + packetBytes + " bytes is smaller than its header");
        }
    }

    /** A run by the operating system's calls that is no flood and records no stages. */
    public TransportRun(long tag, int packetBytes, String host, Settings settings) {
        this(tag, packetBytes, host, settings, Calls.SYSTEM, null, NO_FLOOD);
    }

    /** The same run by these calls. */
    public TransportRun with(Calls others) {
        return new TransportRun(tag, packetBytes, host, settings, others, stages, floodEnd);
    }

    /** The same run with its stages recorded. */
    public TransportRun recording(StageRecording recording) {
        return new TransportRun(tag, packetBytes, host, settings, calls, recording, floodEnd);
    }

    /** The same run as a flood. */
    public TransportRun floodUntil(long lastSequence) {
        return new TransportRun(tag, packetBytes, host, settings, calls, stages, lastSequence);
    }
}
