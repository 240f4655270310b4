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

/** Sends by a lagbench-engine. */
final class NativeSendEngine implements SendEngine {
    private final Path program;
    private final EngineConfig run;
    private final SenderCapture capture;
    private final Object starting = new Object();
    private volatile @Nullable NativeProcess process;
    private volatile boolean stopped;
    private String receiver = "";

    NativeSendEngine(Path program, EngineConfig run, SenderCapture capture) {
        this.program = program;
        this.run = run;
        this.capture = capture;
    }

    @Override
    public Map<String, String> announce() {
        return Map.of();
    }

    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        DataPort port = DataPort.announced(run.run().host(), receiverAnnounced);
        receiver = port.toString();
        NativeProcess started = NativeProcess.start(
                program,
                "send",
                run,
                port.address().getAddress().getHostAddress(),
                port.address().getPort(),
                ExitCode.PEER,
                why -> {});
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
            running.order("send " + first + " " + end + " " + pace.mode().text() + " " + pace.intervalNs() + " "
                    + pace.burst());
            running.await("sent");
        } catch (IOException e) {
            throwIfStopped();
            throw e;
        } finally {
            capture.recoverRecordCount();
        }
        throwIfStopped();
    }

    private void throwIfStopped() throws InterruptedIOException {
        if (stopped) {
            throw new InterruptedIOException("stopped");
        }
    }

    /** As the program told when this was asked last; it answers while the caller goes on. */
    @Override
    public long lastSequence() {
        NativeProcess running = process;
        if (running == null) {
            return Long.MIN_VALUE;
        }
        try {
            running.order("progress");
        } catch (IOException e) {
            return running.lastSequence(); // it has ended, which whoever waits for it learns
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
        SocketBuffer.SEND.putRequest(run.run().settings(), metadata);
        metadata.put("remoteAddress", receiver);
        return metadata;
    }

    @Override
    public void close() {
        stop();
    }
}
