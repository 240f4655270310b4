package org.lagbench.packetio.nativeengine;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Wire;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.linux.ProcessSocket;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.PathOpening;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketDrops;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SocketIo;

/** Receives through a process of lagbench-engine, which receives as soon as it runs. */
final class NativeReceiveEngine implements ReceiveEngine {
    /** Less than the time in which a receiver must end. */
    private static final long COUNTS_TIMEOUT_S = 10;

    private final NativeProcess process;
    private final SideConfig config;
    private final ReceiverCapture capture;
    private final InetSocketAddress local;
    private final @Nullable ProcessSocket datagrams;
    private final SocketDrops dropsInTable;

    /** Whether the kernel joins datagrams, and so counts several dropped ones as one. */
    private final boolean joins;

    private ReceivedCounts counts = ReceivedCounts.NONE;
    private boolean drained;
    private boolean closed;

    /** @param ofEngine arguments of the engine's program alone */
    NativeReceiveEngine(
            Path program, SideConfig config, List<String> ofEngine, ReceiverCapture capture, Consumer<String> onFailure)
            throws LagbenchException {
        InetSocketAddress any = DataPort.listening(config).address();
        boolean isStream = config.transport().wire().isStream();
        InetSocketAddress sender = PathOpening.target(config);
        this.process = NativeProcess.launch(
                program,
                "receive",
                config,
                any,
                arguments(config, ofEngine, capture, sender),
                null,
                onFailure,
                capture::fail);
        boolean connects = sender != null && config.transport().wire() != Wire.UDP;
        process.awaitReady(connects ? ExitCode.PEER : ExitCode.UNAVAILABLE);
        this.config = config;
        this.capture = capture;
        this.local = new InetSocketAddress(any.getAddress(), process.port());
        this.datagrams = isStream ? null : ProcessSocket.find(process.pid(), local.getPort());
        this.dropsInTable = new SocketDrops(local);
        this.joins = "on".equals(config.settings().asText().get("offload"));
    }

    private static List<String> arguments(
            SideConfig config, List<String> ofEngine, ReceiverCapture capture, @Nullable InetSocketAddress sender) {
        ReceiverCapture bytes = config.receivedBytes();
        if (bytes != null) {
            return List.of("transfer-pieces=" + config.pieces(), "bytes-capture=" + bytes.path());
        }
        List<String> arguments = new ArrayList<>(ofEngine);
        arguments.add("stamped=" + capture.hasKernelStamps());
        arguments.add("admit=" + config.admittedHosts());
        if (sender != null) {
            arguments.add("sender-host=" + Endpoint.format(sender.getAddress()));
            arguments.add("sender-port=" + sender.getPort());
        }
        return arguments;
    }

    @Override
    public Map<String, String> announce() {
        return DataPort.announce(local);
    }

    @Override
    public void start() {
        // lagbench-engine has received since it was started
    }

    @Override
    public @Nullable PacketThread awaitThread() {
        return process.thread();
    }

    @Override
    public synchronized ReceivedCounts counts() {
        if (!closed) {
            try {
                process.send("counts");
                long[] values = Arrays.stream(
                                process.awaitStatus("counts", COUNTS_TIMEOUT_S).split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
                counts = new ReceivedCounts(
                        values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7],
                        values[8]);
            } catch (IOException e) {
                return counts; // onFailure got the reason
            }
        }
        return counts;
    }

    @Override
    public void drain(long drainMs) {
        try {
            process.send("drain " + drainMs);
            process.awaitStatus("drained");
            drained = true;
        } catch (IOException e) {
            drained = false; // onFailure got the reason
        }
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    @Override
    public long kernelDrops() {
        if (joins) {
            return SocketIo.UNKNOWN;
        } else if (datagrams == null) {
            return PacketReceiver.NOT_COUNTED;
        }
        long drops = datagrams.drops();
        return drops == SocketIo.UNKNOWN ? dropsInTable.count() : drops;
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>(process.metadata());
        SocketBuffer.RECEIVE.putRequest(config.settings(), metadata);
        return metadata;
    }

    @Override
    public void close() {
        if (!closed) {
            counts();
            closed = true;
            process.close();
            if (datagrams != null) {
                datagrams.close();
            }
            capture.recoverRecordCount();
            ReceiverCapture bytes = config.receivedBytes();
            if (bytes != null) {
                bytes.recoverRecordCount();
            }
        }
    }
}
