package org.lagbench.engines.netty;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.engines.message.Sides;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/** Opens the sides of runs through Netty. */
public final class NettySides implements Sides {
    /** Creates the sides, for the loader of libraries. */
    public NettySides() {}

    @Override
    public void checkMachine(Settings settings) throws LagbenchException {
        NettyIo io = NettyIo.of(settings);
        @Nullable Throwable cause = io.unavailabilityCause();
        if (cause != null) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "engine: netty with netty.io: " + settings.word(NettyEngine.IO) + " is not available here: "
                            + NettyIo.rootOf(cause).getMessage() + ". Set netty.io: nio, or use another engine.",
                    cause);
        }
    }

    @Override
    public PacketSender openSender(PacketTransport transport, TransportRun run) throws LagbenchException {
        checkMachine(run.settings());
        return new NettySender(run, NettyIo.of(run.settings()), transport.isConnectionOriented(), true);
    }

    @Override
    public PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException {
        checkMachine(run.settings());
        NettyIo io = NettyIo.of(run.settings());
        return transport.isConnectionOriented()
                ? NettyStreamReceiver.open(run, io, null)
                : NettyDatagramReceiver.open(run, io);
    }

    @Override
    public TransferSender openTransferSender(PacketTransport transport, TransportRun run, boolean introduces)
            throws LagbenchException {
        checkMachine(run.settings());
        return new NettySender(run, NettyIo.of(run.settings()), true, introduces);
    }

    @Override
    public PacketReceiver openTransferReceiver(
            PacketTransport transport, TransportRun run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        checkMachine(run.settings());
        return NettyStreamReceiver.open(run, NettyIo.of(run.settings()), new TransferPieces(run, pieces, bytes));
    }
}
