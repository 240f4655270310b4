package org.lagbench.engines.grpc;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.engines.message.Sides;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/** Opens the sides of runs through gRPC. */
public final class GrpcSides implements Sides {
    /** The logger of gRPC, which would print a stack trace for each stranger's connection. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    /** Creates the sides, for the loader of libraries. */
    public GrpcSides() {
        GRPC.setLevel(Level.OFF);
    }

    @Override
    public void checkMachine(Settings settings) {
        // gRPC runs on every JVM
    }

    @Override
    public PacketSender openSender(PacketTransport transport, TransportRun run) {
        return run.isAnswered() ? new GrpcCaller(run) : new GrpcSender(run);
    }

    @Override
    public PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException {
        return GrpcReceiver.open(run, null);
    }

    @Override
    public TransferSender openTransferSender(PacketTransport transport, TransportRun run, boolean introduces) {
        return new GrpcTransferSender(run);
    }

    @Override
    public PacketReceiver openTransferReceiver(
            PacketTransport transport, TransportRun run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        return GrpcReceiver.open(run, new PacketService.Transfers(pieces, bytes));
    }
}
