package org.lagbench.packetio.nativeengine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.core.run.Pace;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.TransferRecorder;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SideConfig;

/** Sends through a process of lagbench-engine. */
final class NativeSendEngine implements SendEngine {
    private final Path program;
    private final SideConfig config;
    private final List<String> ofEngine;
    private final SenderCapture capture;
    private final @Nullable TransferRecorder recorder;
    private final @Nullable PathOpening opening;
    private final Object starting = new Object();
    private volatile @Nullable NativeProcess process;
    private volatile boolean stopped;
    private Map<String, String> announcement = Map.of();
    private String receiver = "";

    /**
     * @param ofEngine arguments of the engine's program alone
     * @param recorder receives the transfers, and is closed with this engine; null in other traffic
     * @param opening the port at which the receiver's first packet arrives, closed with this engine; null if the
     *     receiver sends none
     */
    NativeSendEngine(
            Path program,
            SideConfig config,
            List<String> ofEngine,
            SenderCapture capture,
            @Nullable TransferRecorder recorder,
            @Nullable PathOpening opening) {
        this.recorder = recorder;
        this.opening = opening;
        this.program = program;
        this.config = config;
        this.ofEngine = ofEngine;
        this.capture = capture;
    }

    /** Lets the receiver connect to a port of this side, as one behind a NAT can. */
    void listen() throws LagbenchException {
        InetSocketAddress local = DataPort.listening(config).address();
        List<String> arguments = new ArrayList<>(ofEngine);
        arguments.add("listens=true");
        addOrigin(arguments, local);
        NativeProcess listening = launch(DataPort.ephemeral(config.host()).address(), arguments);
        announcement = DataPort.announce(new InetSocketAddress(local.getAddress(), listening.awaitListening()));
        hold(listening);
    }

    @Override
    public Map<String, String> announce() {
        return opening == null ? announcement : opening.announce();
    }

    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        DataPort port = openedPath(DataPort.destination(config, receiverAnnounced));
        receiver = port.toString();
        NativeProcess listening = process;
        NativeProcess started = listening == null ? launch(port.address(), arguments()) : listening;
        if (listening != null) {
            acceptReceiver(listening);
        }
        started.awaitReady(ExitCode.PEER);
        if (opening != null) {
            opening.close(); // the process has connected the port
        }
        hold(started);
    }

    private static void acceptReceiver(NativeProcess listening) throws LagbenchException {
        try {
            listening.send("accept");
        } catch (IOException e) {
            throw ExitCode.PEER.failure(IoErrors.reason(e), e);
        }
    }

    private NativeProcess launch(InetSocketAddress to, List<String> more) throws LagbenchException {
        return NativeProcess.launch(program, "send", config, to, more, recorder, reason -> {}, capture::fail);
    }

    private void hold(NativeProcess started) {
        synchronized (starting) {
            process = started;
            if (stopped) {
                started.close();
            }
        }
    }

    /** Returns the source of the receiver's first packet; the announced port if there is none. */
    private DataPort openedPath(DataPort announced) throws LagbenchException {
        try {
            return opening == null ? announced : new DataPort(opening.await(announced.address()));
        } catch (IOException e) {
            throw ExitCode.PEER.failure(
                    "Cannot receive the first packet of the receiver at " + announced + ": " + IoErrors.reason(e) + ".",
                    e);
        }
    }

    private List<String> arguments() throws LagbenchException {
        List<String> arguments = new ArrayList<>(ofEngine);
        InetSocketAddress from = opening == null ? DataPort.connecting(config) : opening.local();
        if (from != null) {
            addOrigin(arguments, from);
        }
        if (recorder != null) {
            arguments.add("transfer-pieces=" + config.pieces());
            arguments.add("connection="
                    + RunParameters.CONNECTION.format(config.transfers().keepsConnection()));
        }
        return arguments;
    }

    /** Adds where packets leave. */
    private static void addOrigin(List<String> arguments, InetSocketAddress from) {
        arguments.add("from-host=" + Endpoint.format(from.getAddress()));
        arguments.add("from-port=" + from.getPort());
    }

    @Override
    public @Nullable PacketThread thread() {
        NativeProcess running = process;
        return running == null ? null : running.thread();
    }

    @Override
    public void send(long first, long end, Pace pace, long startNs) throws IOException {
        NativeProcess running = process;
        if (running == null) {
            throw new IOException("The sender is not connected.");
        }
        try {
            throwIfStopped();
            running.send("send " + first + " " + end + " " + pace.mode().text() + " " + pace.intervalNs() + " "
                    + pace.burst() + " " + startNs);
            running.awaitStatus("sent");
        } catch (IOException e) {
            IOException captureFailure = capture.failure();
            if (captureFailure != null) {
                throw new UncheckedIOException(captureFailure);
            }
            throwIfStopped();
            throw e;
        } finally {
            recoverRecordCounts();
        }
        throwIfStopped();
    }

    private void recoverRecordCounts() {
        capture.recoverRecordCount();
        ReceiverCapture replies = config.replies();
        if (replies != null) {
            replies.recoverRecordCount();
        }
    }

    private void throwIfStopped() throws InterruptedIOException {
        if (stopped) {
            throw new InterruptedIOException("the run was stopped");
        }
    }

    /** Requests the progress without waiting for it, and returns the number in the latest status of it. */
    @Override
    public long lastIndex() {
        NativeProcess running = process;
        if (running == null) {
            return Long.MIN_VALUE;
        }
        try {
            running.send("progress");
        } catch (IOException e) {
            return running.lastIndex(); // lagbench-engine has ended; the thread that awaits a status gets the reason
        }
        return running.lastIndex();
    }

    @Override
    public @Nullable Retransmissions retransmissions() {
        NativeProcess running = process;
        return running == null || recorder != null ? null : running.retransmissions();
    }

    @Override
    public @Nullable Retransmissions recentRetransmissions() {
        NativeProcess running = process;
        return running == null || recorder != null ? null : running.recentRetransmissions();
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
        Map<String, Object> metadata = new HashMap<>();
        ConnectionFacts.ofRemote(receiver).putInto(metadata);
        metadata.putAll(running.metadata()); // whose program prints the address that it connected to
        SocketBuffer.SEND.putRequest(config.settings(), metadata);
        if (recorder != null && recorder.initialWindow() >= 0) {
            metadata.put("initialWindowSegments", recorder.initialWindow());
            metadata.put("connectionStates", TransferRecorder.POLLING);
        }
        return metadata;
    }

    @Override
    public void endSocketRecord() throws IOException {
        if (recorder != null) {
            recorder.close();
        }
    }

    @Override
    public void close() {
        stop();
        if (opening != null) {
            opening.close();
        }
        try {
            endSocketRecord();
        } catch (IOException e) {
            // ignored: a complete run has called endSocketRecord, which reports the failure
        }
    }
}
