package org.lagbench.nativesocket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.jni.NativeFiles;
import org.lagbench.core.path.PathRun;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.PacketReceiver;
import org.lagbench.core.transport.PacketSender;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.TransportRun;
import org.lagbench.core.transport.Transports;

/**
 * Runs over a transport on loopback: their ends by Java, and by the twin, with its sanitizers where it was built with
 * them.
 */
final class Runs {
    static final long TAG = 0x1357_9bdf_0246_8aceL;

    private final Transport transport;
    private final Path program;

    Runs(String transport) throws LagbenchException {
        this.transport = Transports.load().named(transport);
        this.program = program();
    }

    private static Path program() throws LagbenchException {
        NativeFiles files = new NativeFiles(LinuxSockets.DIRECTORY_PROPERTY, CTwin.class, "nativesocket", "The test");
        try {
            return files.file("sanitized/lagbench-twin");
        } catch (LagbenchException e) {
            return files.file("lagbench-twin");
        }
    }

    TransportRun run(int packetBytes, Map<String, String> settings) {
        return new TransportRun(TAG, packetBytes, "127.0.0.1", Settings.of(transport.settings(), settings));
    }

    /** The same for the twin, whose records of it go to the file. */
    PathRun ofTwin(TransportRun run, long packets, long warmUpPackets, Path file) {
        return new PathRun(transport.name(), run, packets, warmUpPackets, file);
    }

    PacketSender sender(TransportRun run) throws LagbenchException {
        return transport.openSender(run);
    }

    PacketReceiver receiver(TransportRun run) throws LagbenchException {
        return transport.openReceiver(run, Map.of());
    }

    TwinSendPath twinSender(PathRun run, SenderCapture capture) {
        return new TwinSendPath(program, run, capture);
    }

    TwinReceivePath twinReceiver(PathRun run, ReceiverCapture capture) throws LagbenchException {
        return twinReceiver(run, capture, why -> {});
    }

    TwinReceivePath twinReceiver(PathRun run, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        return TwinReceivePath.start(program, run, capture, failed);
    }

    /** All of this process. */
    static void killTwins() {
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("lagbench-twin"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    /** How many files this process has open. */
    static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
