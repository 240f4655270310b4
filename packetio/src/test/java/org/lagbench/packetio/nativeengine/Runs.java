package org.lagbench.packetio.nativeengine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transports;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.jni.NativeFiles;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Runs over a transport on loopback: their ends by Java, and by the twin, with its sanitizers where it was built with
 * them.
 */
final class Runs {
    static final long TAG = 0x1357_9bdf_0246_8aceL;

    private final PacketTransport transport;
    private final Path program;

    Runs(String transport) throws LagbenchException {
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

    TransportRun run(int packetBytes, Map<String, String> settings) {
        return new TransportRun(TAG, packetBytes, "127.0.0.1", Settings.of(transport.settings(), settings));
    }

    TransportRun run(int packetBytes, Map<String, String> settings, Calls calls) {
        return run(packetBytes, settings).with(calls);
    }

    /** The same for the twin, whose records of it go to the file. */
    EngineConfig ofTwin(TransportRun run, long packets, long warmUpPackets, Path file) {
        return new EngineConfig(transport, run, Traffic.ONE_WAY, packets, warmUpPackets, file, Map.of());
    }

    PacketSender sender(TransportRun run) throws LagbenchException {
        return transport.openSender(run);
    }

    PacketReceiver receiver(TransportRun run) throws LagbenchException {
        return transport.openReceiver(run, Map.of());
    }

    NativeSendEngine twinSender(EngineConfig run, SenderCapture capture) {
        return new NativeSendEngine(program, run, capture);
    }

    NativeReceiveEngine twinReceiver(EngineConfig run, ReceiverCapture capture) throws LagbenchException {
        return twinReceiver(run, capture, why -> {});
    }

    NativeReceiveEngine twinReceiver(EngineConfig run, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        return NativeReceiveEngine.start(program, run, capture, failed);
    }

    /** All of this process. */
    static void killTwins() {
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("lagbench-engine"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    /** How many files this process has open. */
    static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
