package org.lagbench.engines.javanet;

import java.util.concurrent.ThreadFactory;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.InterfaceEngine;
import org.lagbench.engines.message.SocketSettings;
import org.lagbench.packetio.socket.TransferPieces;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/**
 * An engine that uses the streams of {@code java.net.Socket}. A subclass chooses platform threads or virtual threads.
 */
abstract class JavaNetEngine extends InterfaceEngine {
    private final boolean usesPlatformThreads;

    /** @param usesPlatformThreads whether the receiving thread is a platform thread */
    JavaNetEngine(String name, int order, boolean usesPlatformThreads) {
        super(name, order, SocketSettings.ALL);
        this.usesPlatformThreads = usesPlatformThreads;
    }

    /** Returns the factory of the threads that serve connections. */
    abstract ThreadFactory connectionThreads() throws LagbenchException;

    @Override
    protected PacketSender openSender(SideConfig run) {
        return new StreamSender(run, true);
    }

    @Override
    protected PacketReceiver openReceiver(SideConfig run) throws LagbenchException {
        return StreamReceiver.open(run, connectionThreads(), usesPlatformThreads, null);
    }

    @Override
    protected boolean answersTransfers(Transport transport) {
        return true;
    }

    @Override
    protected TransferSender openTransferSender(SideConfig run, boolean introduces) {
        return new StreamSender(run, introduces);
    }

    @Override
    protected PacketReceiver openTransferReceiver(SideConfig run, long pieces, ReceivedBytesCapture bytes)
            throws LagbenchException {
        return StreamReceiver.open(
                run, connectionThreads(), usesPlatformThreads, new TransferPieces(run, pieces, bytes));
    }
}
