package org.lagbench.interfaces.message;

import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.Settings;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Opens the sides of an interface that needs {@link Libraries}. Implementations are public classes with a public
 * constructor without arguments.
 */
public interface Sides {
    /**
     * Checks that this machine supports the settings of a run.
     *
     * @throws LagbenchException if it does not: why, and what to do about it
     */
    void checkMachine(Settings settings) throws LagbenchException;

    /** Opens the sending side. */
    PacketSender openSender(PacketTransport transport, TransportRun run) throws LagbenchException;

    /** Opens the receiving side. */
    PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException;
}
