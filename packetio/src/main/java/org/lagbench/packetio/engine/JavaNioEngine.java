package org.lagbench.packetio.engine;

import java.util.HashSet;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** The engine {@code java-nio}: the channels of {@code java.nio}, as most Java programs use them. */
public final class JavaNioEngine extends SocketEngine {
    static final String NAME = "java-nio";

    /** Creates the engine, for the service loader. */
    public JavaNioEngine() {
        super(NAME, 1, SocketApi.CHANNELS);
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of(Wire.TCP) : Set.of(Wire.TCP, Wire.UDP);
    }

    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        Set<String> supported = new HashSet<>(settings.asMap().keySet());
        supported.removeAll(PacketTransport.of(transport).systemCallSettings());
        refuseOthers(this, transport, settings, supported);
    }
}
