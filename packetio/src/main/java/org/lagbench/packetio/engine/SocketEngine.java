package org.lagbench.packetio.engine;

import java.util.EnumSet;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;
import org.lagbench.packetio.transport.StreamFramer;

/** An engine that uses the transport's own code, with sockets of one Java API. */
abstract class SocketEngine extends InProcessEngine {
    private final SocketApi socketApi;

    SocketEngine(String name, int order, SocketApi socketApi) {
        super(name, order);
        this.socketApi = socketApi;
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of(Wire.TCP) : EnumSet.complementOf(EnumSet.of(Wire.LIBRARY));
    }

    /** Serves each transport that itself sends and receives, over a wire of this engine. */
    @Override
    public boolean serves(Transport transport, Traffic traffic) {
        return transport instanceof PacketTransport && wires(traffic).contains(transport.wire());
    }

    @Override
    public Framing framing(Settings settings) {
        return Framing.NONE;
    }

    @Override
    public final boolean bindsSenders() {
        return true;
    }

    @Override
    public final boolean bindsDevices() {
        return true;
    }

    @Override
    protected final PacketSender openSender(SideConfig side, boolean introduces) throws LagbenchException {
        SideConfig config = side.with(socketApi);
        PacketTransport transport = PacketTransport.of(config.transport());
        return config.hasTransfers() ? transport.openTransferSender(config, introduces) : transport.openSender(config);
    }

    @Override
    protected final TransferLoop.Connections connections(SideConfig side) throws LagbenchException {
        CompressionSpec compression = side.transfers().compression();
        return compression == null
                ? super.connections(side)
                : PieceCompression.load().connections(side.with(socketApi), compression);
    }

    @Override
    public final void checkCompression(Transport transport, Settings settings, CompressionSpec compression)
            throws LagbenchException {
        if (!serves(transport, Traffic.TRANSFER)) {
            super.checkCompression(transport, settings, compression);
            return;
        }
        PacketTransport.of(transport).checkChunks(settings);
        PieceCompression.load().check(compression);
    }

    @Override
    protected final PacketReceiver openReceiver(SideConfig side) throws LagbenchException {
        SideConfig config = side.with(socketApi);
        PacketTransport transport = PacketTransport.of(config.transport());
        if (config.traffic().compression() == null) {
            return transport.openReceiver(config);
        }
        StreamFramer chunks = PieceCompression.load().newFramer(config);
        return transport.openChunkReceiver(config, chunks);
    }
}
