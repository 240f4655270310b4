package org.lagbench.packetio.nativeengine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;

/** Sends through a process of lagbench-engine. */
final class NativeSendEngine implements SendEngine {
    private final Path program;
    private final EngineConfig config;
    private final SenderCapture capture;
    private final Object starting = new Object();
    private volatile @Nullable NativeProcess process;
    private volatile boolean stopped;
    private String receiver = "";

    NativeSendEngine(Path program, EngineConfig config, SenderCapture capture) {
        this.program = program;
        this.config = config;
        this.capture = capture;
    }

    @Override
    public Map<String, String> announce() {
        return Map.of();
    }

    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        DataPort port = DataPort.announced(config.run().host(), receiverAnnounced);
        receiver = port.toString();
        NativeProcess started =
                NativeProcess.start(program, "send", config, port.address(), ExitCode.PEER, reason -> {});
        synchronized (starting) {
            process = started;
            if (stopped) {
                started.close();
            }
        }
    }

    @Override
    public @Nullable PacketThread thread() {
        NativeProcess running = process;
        return running == null ? null : running.thread();
    }

    @Override
    public void send(long first, long end, Pace pace) throws IOException {
        NativeProcess running = process;
        if (running == null) {
            throw new IOException("The sender is not connected.");
        }
        try {
            throwIfStopped();
            running.send("send " + first + " " + end + " " + pace.mode().text() + " " + pace.intervalNs() + " "
                    + pace.burst());
            running.awaitReply("sent");
        } catch (IOException e) {
            throwIfStopped();
            throw e;
        } finally {
            capture.adopt();
        }
        throwIfStopped();
    }

    private void throwIfStopped() throws InterruptedIOException {
        if (stopped) {
            throw new InterruptedIOException("stopped");
        }
    }

    /** Requests a progress reply without waiting for it, and returns the number in the latest reply. */
    @Override
    public long lastSequence() {
        NativeProcess running = process;
        if (running == null) {
            return Long.MIN_VALUE;
        }
        try {
            running.send("progress");
        } catch (IOException e) {
            return running.lastSequence(); // it has ended; the thread that waits for a reply gets the reason
        }
        return running.lastSequence();
    }

    @Override
    public void stop() {
        synchronized (starting) {
            stopped = true;
        }
        NativeProcess running = process;
        if (running != null) {
            running.close();
        }
    }

    @Override
    public Map<String, Object> metadata() {
        NativeProcess running = process;
        if (running == null) {
            return Map.of();
        }
        Map<String, Object> metadata = new HashMap<>(running.metadata());
        SocketBuffer.SEND.putRequest(config.run().settings(), metadata);
        metadata.put("remoteAddress", receiver);
        return metadata;
    }

    @Override
    public void close() {
        stop();
    }
}
