package org.lagbench.packetio.transport;

import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.packet.PacketLayout;

/**
 * What both sides of a transport must know of a run.
 *
 * @param tag the run's random tag, in every packet
 * @param packetBytes size of each packet, header included, in bytes
 * @param host on the receiver the address to listen on, on the sender the receiver's address; no name look-up is needed
 * @param settings the transport's settings, complete with defaults
 */
public record TransportRun(long tag, int packetBytes, String host, Settings settings) {
    public TransportRun {
        if (packetBytes < PacketLayout.HEADER_BYTES) {
            throw new IllegalArgumentException("packet of " + packetBytes + " bytes is smaller than its header");
        }
    }
}
