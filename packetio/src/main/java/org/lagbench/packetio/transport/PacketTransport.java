package org.lagbench.packetio.transport;

import java.util.Map;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.transport.Transport;

/**
 * A transport over which this process can send and receive. One implementation, with its {@link PacketSender} and
 * {@link PacketReceiver}, is all a new transport needs; it is registered as {@link Transport} says.
 */
public interface PacketTransport extends Transport {
    /** Names of its settings that Java's channels cannot do as they are asked for, but in their defaults. */
    default Set<String> settingsOfSystemCalls() {
        return Set.of();
    }

    /**
     * Opens the sending side and takes what it must hold before the receiver can be asked (a channel and bandwidth,
     * say).
     *
     * @throws LagbenchException if this machine lacks what is needed: what, and what to do about it
     */
    PacketSender openSender(TransportRun run) throws LagbenchException;

    /**
     * Opens the receiving side.
     *
     * @param senderAnnounced what the sender's {@link PacketSender#announce()} gave
     * @throws LagbenchException if this machine lacks what is needed: what, and what to do about it
     */
    PacketReceiver openReceiver(TransportRun run, Map<String, String> senderAnnounced) throws LagbenchException;

    /**
     * Returns a transport as one over which packets can be sent.
     *
     * @throws IllegalArgumentException if it only describes one
     */
    static PacketTransport of(Transport transport) {
        if (transport instanceof PacketTransport opens) {
            return opens;
        }
        throw new IllegalArgumentException("no packets can be sent over " + transport.name());
    }
}
