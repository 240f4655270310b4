package org.lagbench.interfaces.javanet;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.transport.Transport;
import org.lagbench.interfaces.message.InterfaceEngine;
import org.lagbench.interfaces.message.SocketSettings;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransferSender;
import org.lagbench.packetio.transport.TransportRun;

/**
 * The engine {@code java-virtual}: the streams of {@code java.net.Socket} in a virtual thread for each connection (JEP
 * 444). The sender paces in its virtual thread too.
 */
public final class JavaVirtualEngine extends InterfaceEngine {
    /** Creates the engine, for the service loader. */
    public JavaVirtualEngine() {
        super("java-virtual", 4, SocketSettings.ALL);
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        try {
            VirtualThreads.factory("test");
            return null;
        } catch (LagbenchException e) {
            return e;
        }
    }

    @Override
    public SendEngine openSender(EngineConfig config, SenderCapture capture) throws LagbenchException {
        return new VirtualSendEngine(super.openSender(config, capture), VirtualThreads.factory("packets"));
    }

    @Override
    protected ThreadFactory receivingThreads() throws LagbenchException {
        return VirtualThreads.factory("packets");
    }

    @Override
    protected PacketSender openSender(PacketTransport transport, TransportRun run) {
        return new StreamSender(run, true);
    }

    @Override
    protected PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException {
        return StreamReceiver.open(run, VirtualThreads.factory("connection"), false, null);
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
                run, VirtualThreads.factory("connection"), false, new TransferPieces(run, pieces, bytes));
    }
}
