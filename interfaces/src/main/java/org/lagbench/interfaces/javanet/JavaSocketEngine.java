package org.lagbench.interfaces.javanet;

import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.transport.Transport;
import org.lagbench.interfaces.message.InterfaceEngine;
import org.lagbench.interfaces.message.SocketSettings;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/**
 * The engine {@code java-socket}: the streams of {@code java.net.Socket}, as Java programs have used since Java 1.0.
 */
public final class JavaSocketEngine extends InterfaceEngine {
    /** Creates the engine, for the service loader. */
    public JavaSocketEngine() {
        super("java-socket", 3, SocketSettings.ALL);
    }

    @Override
    protected PacketSender openSender(PacketTransport transport, TransportRun run) {
        return new StreamSender(run, true);
    }

    @Override
    protected PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException {
        return StreamReceiver.open(run, task -> new Thread(task, "connection"), true, null);
    }

    @Override
    protected boolean answersTransfers(Transport transport) {
        return true;
    }

    @Override
    protected TransferSender openTransferSender(PacketTransport transport, TransportRun run, boolean introduces) {
        return new StreamSender(run, introduces);
    }

    @Override
    protected PacketReceiver openTransferReceiver(
            PacketTransport transport, TransportRun run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        return StreamReceiver.open(
                run, task -> new Thread(task, "connection"), true, new TransferPieces(run, pieces, bytes));
    }
}
