package org.lagbench.engines.javanet;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.model.Transport;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The engine {@code java-virtual}: the streams of {@code java.net.Socket} in a virtual thread for each connection (JEP
 * 444). The sender paces in its virtual thread too.
 */
public final class JavaVirtualEngine extends JavaSocketEngine {
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
            throw ExitCode.UNAVAILABLE.failure(
                    "engine: java-virtual needs a JDK 21 or newer, and this is JDK "
                            + Runtime.version().feature()
                            + "; set JAVA_HOME to a newer one, or use engine: java-socket.",
                    e);
        }
    }

    /** Sends from a new virtual thread. */
    static final class VirtualSendEngine implements SendEngine {
        private final SendEngine engine;
        private final ThreadFactory threads;

        VirtualSendEngine(SendEngine engine, ThreadFactory threads) {
            this.engine = engine;
            this.threads = threads;
        }

        @Override
        public Map<String, String> announce() {
            return engine.announce();
        }

        @Override
        public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
            engine.connect(receiverAnnounced);
        }

        /** Returns null: a virtual thread runs on changing platform threads. */
        @Override
        public @Nullable PacketThread thread() {
            return null;
        }

        @Override
        public void send(long first, long end, Pace pace, long startNs) throws IOException {
            FutureTask<Boolean> sending = new FutureTask<>(() -> {
                engine.send(first, end, pace, startNs);
                return true;
            });
            threads.newThread(sending).start();
            try {
                Uninterruptibly.get(sending);
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                if (cause instanceof IOException failure) {
                    throw failure;
                } else if (cause instanceof RuntimeException failure) {
                    throw failure;
                } else if (cause instanceof Error failure) {
                    throw failure;
                }
                throw new IllegalStateException(cause);
            }
        }

        @Override
        public long lastIndex() {
            return engine.lastIndex();
        }

        @Override
        public @Nullable Retransmissions retransmissions() {
            return engine.retransmissions();
        }

        @Override
        public void stop() {
            engine.stop();
        }

        @Override
        public void endSocketRecord() throws IOException {
            engine.endSocketRecord();
        }

        @Override
        public Map<String, Object> metadata() {
            return engine.metadata();
        }

        @Override
        public void close() {
            engine.close();
        }
    }
}
