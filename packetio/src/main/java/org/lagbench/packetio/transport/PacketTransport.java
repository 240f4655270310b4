package org.lagbench.packetio.transport;

import java.util.Map;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;

/**
 * A transport over which this process can send and receive. A new transport implements this interface with a
 * {@link PacketSender} and a {@link PacketReceiver}; {@link Transport} describes how to register it.
 */
public interface PacketTransport extends Transport {
    /**
     * Returns how many packets must follow a packet so that the end of the stream does not affect its lag. The default
     * for a flood is about as many as a receive buffer holds: the sender still sends while the receiver reads the
     * packet. The default for a paced stream is enough for TCP to detect a lost segment by the next ones (RFC 8985).
     */
    default long leadOutPackets(int packetBytes, Settings settings, boolean flood) {
        return flood ? Math.max(1, Math.min(1_000, (1 << 18) / packetBytes)) : 16;
    }

    /** Returns the names of the settings that need system calls: channels support only their defaults. */
    default Set<String> systemCallSettings() {
        return Set.of();
    }

    /**
     * Checks the settings that this machine's kernel may refuse to a sender outside the JVM.
     *
     * @throws LagbenchException if it does; the message says which, and what it offers
     */
    default void checkSender(Settings settings) throws LagbenchException {}

    /**
     * Opens the sending side and reserves what it needs before the receiver opens, such as a channel and bandwidth.
     *
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    PacketSender openSender(SideConfig run) throws LagbenchException;

    /**
     * Opens the receiving side.
     *
     * @param senderAnnounced what the sender's {@link PacketSender#announce()} returned
     * @throws LagbenchException if this machine does not meet a requirement; the message says which, and what to do
     */
    PacketReceiver openReceiver(SideConfig run, Map<String, String> senderAnnounced) throws LagbenchException;

    /**
     * Returns the transport as one over which packets can be sent.
     *
     * @throws IllegalArgumentException if it is only a description
     */
    static PacketTransport of(Transport transport) {
        if (transport instanceof PacketTransport packetTransport) {
            return packetTransport;
        }
        throw new IllegalArgumentException("no packets can be sent over " + transport.name());
    }
}
