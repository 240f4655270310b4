package org.lagbench.packetio.nativeengine;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.linux.NativeFiles;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SocketApi;
import org.lagbench.packetio.transport.TransportRun;

/** Runs over a transport on loopback by any engine; the c engine with its sanitizers where it was built with them. */
public final class Runs {
    public static final long TAG = 0x1357_9bdf_0246_8aceL;

    private final PacketTransport transport;
    private final Path program;

    public Runs(String transport) throws LagbenchException {
        this.transport = PacketTransport.of(Transports.load().named(transport));
        this.program = program();
    }

    private static Path program() throws LagbenchException {
        NativeFiles files =
                new NativeFiles(LinuxSockets.DIRECTORY_PROPERTY, NativeEngine.class, "packetio", "The test");
        try {
            return files.file("sanitized/lagbench-engine");
        } catch (LagbenchException e) {
            return files.file("lagbench-engine");
        }
    }

    public TransportRun run(int packetBytes, Map<String, String> settings) {
        return new TransportRun(TAG, packetBytes, "127.0.0.1", Settings.of(transport.settings(), settings));
    }

    public TransportRun run(int packetBytes, Map<String, String> settings, SocketApi socketApi) {
        return run(packetBytes, settings).with(socketApi);
    }

    /** Returns the configuration of an engine for the run; its records go to the file. */
    public EngineConfig config(TransportRun run, long packets, long warmUpPackets, long leadOutPackets, Path file) {
        return new EngineConfig(
                transport, run, TrafficSpec.ONE_WAY, packets, warmUpPackets, leadOutPackets, file, Map.of());
    }

    /** Returns the configuration of an engine for a round-trip run; {@code answers} is null at the receiver. */
    public EngineConfig roundTrips(
            int packetBytes,
            Map<String, String> settings,
            TrafficSpec traffic,
            long packets,
            long warmUpPackets,
            long leadOutPackets,
            Path file,
            @Nullable ReceiverCapture answers) {
        TransportRun run =
                TransportRun.ofRoundTrips(TAG, packetBytes, "127.0.0.1", Settings.of(transport.settings(), settings));
        return new EngineConfig(
                transport, run, traffic, packets, warmUpPackets, leadOutPackets, file, answers, Map.of());
    }

    public PacketSender sender(TransportRun run) throws LagbenchException {
        return transport.openSender(run);
    }

    public PacketReceiver receiver(TransportRun run) throws LagbenchException {
        return transport.openReceiver(run, Map.of());
    }

    public SendEngine openSender(String engine, EngineConfig config, SenderCapture capture) throws LagbenchException {
        PacketEngine opens = engine(engine);
        return opens.runsOnJvm()
                ? opens.openSender(config, capture)
                : new NativeSendEngine(program, config, capture, null);
    }

    public ReceiveEngine openReceiver(
            String engine, EngineConfig config, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        PacketEngine opens = engine(engine);
        return opens.runsOnJvm()
                ? opens.openReceiver(config, capture, failed)
                : new NativeReceiveEngine(program, config, capture, null, failed);
    }

    private static PacketEngine engine(String name) throws LagbenchException {
        return PacketEngine.of(Engines.load().named(name));
    }

    /** Kills all native engines that this process started. */
    public static void killNativeEngines() {
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("lagbench-engine"))
                .forEach(ProcessHandle::destroyForcibly);
    }
}
