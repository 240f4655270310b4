package org.lagbench.engines.javanet;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.InterfaceEngine;
import org.lagbench.engines.message.SocketSettings;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.Transfers;

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
    protected boolean answersTransfers(Transport transport) {
        return true;
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) {
        return new StreamSender(run, introduces);
    }

    @Override
    protected PacketReceiver openReceiver(SideConfig run, @Nullable Transfers transfers) throws LagbenchException {
        return StreamReceiver.open(run, connectionThreads(), usesPlatformThreads, transfers);
    }
}
