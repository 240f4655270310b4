package org.lagbench.engines.javanet;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.Retransmissions;

/** Sends from a new virtual thread. */
final class VirtualSendEngine implements SendEngine {
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
    public void send(long first, long end, Pace pace) throws IOException {
        FutureTask<Boolean> sending = new FutureTask<>(() -> {
            engine.send(first, end, pace);
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
    public void endStages() throws IOException {
        engine.endStages();
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
