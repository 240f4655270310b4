package org.lagbench.packetio.nativeengine;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

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
        NativeFiles files = new NativeFiles(
                LinuxSockets.DIRECTORY_PROPERTY, NativeEngine.class, "mvn -pl packetio -am package", "The test");
        try {
            return files.file("sanitized/lagbench-engine");
        } catch (LagbenchException e) {
            return files.file("lagbench-engine");
        }
    }

    public SideBuilder side(int packetBytes, Map<String, String> settings) throws LagbenchException {
        return new SideBuilder(transport.name(), TAG, packetBytes, settings);
    }

    /** Returns the configuration of an engine for a round-trip run; {@code replies} is null at the receiver. */
    public SideConfig roundTrips(
            int packetBytes,
            Map<String, String> settings,
            TrafficSpec traffic,
            long packets,
            long warmUpPackets,
            long leadOutPackets,
            Path file,
            @Nullable ReceiverCapture replies)
            throws LagbenchException {
        return side(packetBytes, settings)
                .traffic(traffic)
                .phases(warmUpPackets, packets, leadOutPackets)
                .file(file)
                .replies(replies)
                .build();
    }

    public SideConfig run(int packetBytes, Map<String, String> settings) throws LagbenchException {
        return side(packetBytes, settings).build();
    }

    public SideConfig run(int packetBytes, Map<String, String> settings, SocketApi socketApi) throws LagbenchException {
        return side(packetBytes, settings).socketApi(socketApi).build();
    }

    public PacketSender sender(SideConfig run) throws LagbenchException {
        return transport.openSender(run);
    }

    public PacketReceiver receiver(SideConfig run) throws LagbenchException {
        return transport.openReceiver(run);
    }

    public SendEngine openSender(String engine, SideConfig config, SenderCapture capture) throws LagbenchException {
        PacketEngine opens = engine(engine);
        return opens.runsOnJvm()
                ? opens.openSender(config, capture)
                : new NativeSendEngine(program, config, List.of(), capture, null, null);
    }

    public ReceiveEngine openReceiver(
            String engine, SideConfig config, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        PacketEngine opens = engine(engine);
        return opens.runsOnJvm()
                ? opens.openReceiver(config, capture, failed)
                : new NativeReceiveEngine(program, config, List.of(), capture, failed);
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
