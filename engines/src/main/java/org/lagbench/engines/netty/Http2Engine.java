package org.lagbench.engines.netty;

import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.LibraryEngine;
import org.lagbench.engines.message.SocketSettings;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/** The engine {@code http2}: POST requests of HTTP/2 (RFC 9113) over TCP without TLS, by Netty. */
public final class Http2Engine extends LibraryEngine {
    /** Creates the engine, for the service loader. */
    public Http2Engine() {
        super("http2", 9, SocketSettings.ALL, NettyEngine.NAME);
    }

    @Override
    protected boolean answersTransfers(Transport transport) {
        return true;
    }

    @Override
    protected PacketSender openSender(SideConfig run) {
        return new Http2Sender(run);
    }

    @Override
    protected PacketReceiver openReceiver(SideConfig run) throws LagbenchException {
        return Http2Receiver.open(run, null);
    }

    @Override
    protected TransferSender openTransferSender(SideConfig run, boolean introduces) {
        return new Http2Sender(run);
    }

    @Override
    protected PacketReceiver openTransferReceiver(SideConfig run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        return Http2Receiver.open(run, new TransferPieces(run, pieces, bytes));
    }
}
