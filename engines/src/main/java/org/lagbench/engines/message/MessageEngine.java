package org.lagbench.engines.message;

import java.io.IOException;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.engine.InProcessEngine;
import org.lagbench.packetio.socket.PortReceiver;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/**
 * An engine that moves each packet as one message of a communication interface. Subclasses load the classes of their
 * interface only when a side is opened.
 */
public abstract class MessageEngine extends InProcessEngine {
    /** The setting of a transport: whether a TCP connection sends small segments at once (TCP_NODELAY). */
    public static final String NO_DELAY = "no-delay";

    /** The settings of transports that any interface to sockets supports. */
    public static final Set<String> SOCKET_SETTINGS =
            Set.of(NO_DELAY, SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName());

    private final Set<String> transportSettings;

    /** @param transportSettings names of the settings of transports that the interface supports */
    protected MessageEngine(String name, int order, Set<String> transportSettings) {
        super(name, order);
        this.transportSettings = Set.copyOf(transportSettings);
    }

    /** Returns TCP, without transfers. */
    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of() : Set.of(Wire.TCP);
    }

    /**
     * Opens the receiving side.
     *
     * @throws IOException if it cannot listen
     */
    protected abstract PacketReceiver listen(SideConfig run) throws IOException, LagbenchException;

    @Override
    protected final PacketReceiver openReceiver(SideConfig run) throws LagbenchException {
        try {
            return listen(run);
        } catch (IOException e) {
            throw PortReceiver.cannotOpen("Cannot listen", run, e);
        }
    }

    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        refuseOthers(this, transport, settings, transportSettings);
    }
}
