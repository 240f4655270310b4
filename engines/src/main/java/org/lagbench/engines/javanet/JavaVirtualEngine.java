package org.lagbench.engines.javanet;

import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.SendEngine;

/**
 * The engine {@code java-virtual}: the streams of {@code java.net.Socket} in a virtual thread for each connection (JEP
 * 444). The sender paces in its virtual thread too.
 */
public final class JavaVirtualEngine extends JavaNetEngine {
    /** Creates the engine, for the service loader. */
    public JavaVirtualEngine() {
        super("java-virtual", 4, false);
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
    ThreadFactory connectionThreads() throws LagbenchException {
        return VirtualThreads.factory("connection");
    }
}
