package org.lagbench.engines.javanet;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.SideConfig;

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
            virtualThreads("test");
            return null;
        } catch (LagbenchException e) {
            return e;
        }
    }

    @Override
    public SendEngine openSender(SideConfig config, SenderCapture capture) throws LagbenchException {
        return new VirtualSendEngine(super.openSender(config, capture), virtualThreads("packets"));
    }

    @Override
    protected ThreadFactory receivingThreads() throws LagbenchException {
        return virtualThreads("packets");
    }

    @Override
    ThreadFactory connectionThreads() throws LagbenchException {
        return virtualThreads("connection");
    }

    /**
     * Returns a factory of virtual threads, by reflection: lagbench also runs on JDKs without them.
     *
     * @param name the name of its threads
     * @throws LagbenchException if this JDK has none
     */
    private static ThreadFactory virtualThreads(String name) throws LagbenchException {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class).invoke(builder, name);
            return (ThreadFactory) type.getMethod("factory").invoke(named);
        } catch (NoSuchMethodException
                | ClassNotFoundException
                | IllegalAccessException
                | InvocationTargetException e) { // the last on JDK 19 and 20, as a preview
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "engine: java-virtual needs a JDK 21 or newer, and this is JDK "
                            + Runtime.version().feature()
                            + "; set JAVA_HOME to a newer one, or use engine: java-socket.",
                    e);
        }
    }
}
