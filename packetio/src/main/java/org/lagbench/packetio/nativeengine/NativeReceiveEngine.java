package org.lagbench.packetio.nativeengine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.ReceivedCounts;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.socket.SocketDrops;

/** Receives by a lagbench-engine, which takes packets from the beginning on. */
final class NativeReceiveEngine implements ReceiveEngine {
    private final NativeProcess process;
    private final EngineConfig run;
    private final ReceiverCapture capture;
    private final InetSocketAddress local;
    private final @Nullable SocketDrops drops;

    /** Whether the kernel joins datagrams, and so counts several that it drops as one. */
    private final boolean joins;

    private ReceivedCounts tally = ReceivedCounts.NOTHING;
    private boolean drained;
    private boolean closed;

    private NativeReceiveEngine(
            NativeProcess process, EngineConfig run, ReceiverCapture capture, InetSocketAddress local) {
        this.process = process;
        this.run = run;
        this.capture = capture;
        this.local = local;
        this.drops = run.transport().isConnectionOriented() ? null : new SocketDrops(local);
        this.joins = "on".equals(run.run().settings().asText().get("offload"));
    }

    static NativeReceiveEngine start(Path program, EngineConfig run, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        try {
            InetAddress host = InetAddress.getByName(run.run().host());
            NativeProcess process = NativeProcess.start(
                    program, "receive", run, host.getHostAddress(), 0, ExitCode.UNAVAILABLE, failed);
            return new NativeReceiveEngine(process, run, capture, new InetSocketAddress(host, process.port()));
        } catch (UnknownHostException e) {
            throw new LagbenchException(ExitCode.USAGE, "\"" + run.run().host() + "\" is not an address of a host.", e);
        }
    }

    @Override
    public Map<String, String> announce() {
        return DataPort.announce(local);
    }

    @Override
    public void start() {
        // the program has begun
    }

    @Override
    public @Nullable PacketThread awaitThread() {
        return process.thread();
    }

    /** What the program told last, if it has ended. */
    @Override
    public ReceivedCounts tally() {
        if (!closed) {
            try {
                process.order("counts");
                long[] counts = Arrays.stream(process.await("counts").split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
                tally = new ReceivedCounts(counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]);
            } catch (IOException e) {
                return tally; // who conducts the run was told that the program has ended, and why
            }
        }
        return tally;
    }

    @Override
    public void drain(long drainMs) {
        try {
            process.order("drain " + drainMs);
            process.await("drained");
            drained = true;
        } catch (IOException e) {
            drained = false; // as above
        }
    }

    @Override
    public boolean isDrained() {
        return drained;
    }

    /** TCP sends again what a full buffer made the kernel drop: no packet is ever lost that way. */
    @Override
    public long kernelDrops() {
        return joins ? -1 : drops == null ? 0 : drops.count();
    }

    @Override
    public long busResets() {
        return 0;
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>(process.metadata());
        SocketBuffer.RECEIVE.putRequest(run.run().settings(), metadata);
        return metadata;
    }

    @Override
    public void close() {
        if (!closed) {
            tally();
            closed = true;
            process.close();
            capture.recoverRecordCount();
        }
    }
}
