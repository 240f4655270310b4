package org.lagbench.engines.aeron;

import io.aeron.driver.Configuration;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.IsolatedEngine;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The engine {@code aeron}: streams of Aeron over UDP, which retransmits lost packets. A second stream carries the
 * replies.
 */
public final class AeronEngine extends IsolatedEngine {
    /** Creates the engine, for the service loader. */
    public AeronEngine() {
        super("aeron", 8, Set.of(SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName()));
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of() : Set.of(Wire.UDP);
    }

    @Override
    public Framing framing(Settings settings) {
        return new Framing(DataHeaderFlyweight.HEADER_LENGTH, FrameDescriptor.FRAME_ALIGNMENT);
    }

    @Override
    public boolean opensConnection(Transport transport) {
        return true;
    }

    /** Aeron divides longer messages. */
    @Override
    public long datagramBytes(int packetBytes, Settings settings) {
        return Math.min(super.datagramBytes(packetBytes, settings), Configuration.MTU_LENGTH_DEFAULT);
    }

    @Override
    protected void checkMachine(Settings settings) throws LagbenchException {
        if (!Object.class.getModule().isOpen("jdk.internal.misc", AeronEngine.class.getModule())) {
            throw ExitCode.UNAVAILABLE.failure(
                    "engine: aeron is not available: this JVM does not open its memory functions to Aeron; start it"
                            + " with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED, as lagbench's scripts do.");
        }
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) throws LagbenchException {
        return AeronSender.open(run);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        return AeronReceiver.open(run);
    }
}
