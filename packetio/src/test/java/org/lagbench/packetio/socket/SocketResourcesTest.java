package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.Pace;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transports;
import org.lagbench.packetio.pace.Pacer;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** What a run takes and gives back. */
@Timeout(120)
class SocketResourcesTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private final Path directory;

    SocketResourcesTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @CsvSource({"tcp, CHANNEL", "tcp, SYSTEM", "udp, CHANNEL", "udp, SYSTEM"})
    void everyFileDescriptorIsGivenBack(String transport, Calls calls) throws Exception {
        assumeTrue(Files.isDirectory(DESCRIPTORS));
        useAndClose(transport, calls);
        long before = descriptors();
        for (int i = 0; i < 20; i++) {
            useAndClose(transport, calls);
        }
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(descriptors()).isLessThanOrEqualTo(before));
    }

    private void useAndClose(String transport, Calls calls) throws Exception {
        try (LoopbackRun run = LoopbackRun.of(directory, transport, 24, 10, calls)) {
            run.startReceiving().connect().send(0, 10);
            run.awaitReceived();
        }
        try (LoopbackRun run = LoopbackRun.of(directory, transport, 24, 10, calls)) {
            run.startReceiving(); // closed while it waits
        }
        LoopbackRun.of(directory, transport, 24, 10, calls).close(); // closed before it is used
        if (transport.equals("tcp")) {
            try (LoopbackRun run = LoopbackRun.of(directory, transport, 24, 10, calls);
                    Socket stranger = new Socket(InetAddress.getLoopbackAddress(), run.port())) {
                run.startReceiving();
                stranger.getOutputStream().write(1); // closed while a stranger is connected
            }
        }
    }

    /**
     * Without the JVM's own: archives of classes, which it opens when it comes to need them, and pipes to processes.
     */
    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.map(SocketResourcesTest::target)
                    .filter(file -> !file.endsWith(".jar") && !file.startsWith("pipe:"))
                    .count();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return "pipe: closed since"; // such as that of the directory being listed
        }
    }

    @ParameterizedTest
    @CsvSource({
        "tcp, FLOOD, CHANNEL",
        "udp, FLOOD, CHANNEL",
        "tcp, SLEEP, CHANNEL",
        "udp, SPIN, CHANNEL",
        "udp, HYBRID, CHANNEL",
        "tcp, FLOOD, SYSTEM",
        "udp, HYBRID, SYSTEM"
    })
    void pacingSendingReceivingAndRecordingAPacketAllocatesNothing(String transport, Pace.Mode mode, Calls calls)
            throws Exception {
        int warmUpPackets = 10_000;
        int packets = 20_000;
        PacketTransport opened = PacketTransport.of(Transports.load().named(transport));
        TransportRun run = new TransportRun(LoopbackRun.TAG, 396, "127.0.0.1", Settings.of(opened.settings(), Map.of()))
                .with(calls);
        Pacer pacer = Pacer.of(mode == Pace.Mode.FLOOD ? Pace.flood() : new Pace(mode, 10_000));
        try (SenderCapture senderCapture = SenderCapture.create(directory.resolve("sender.npy"), packets, false);
                ReceiverCapture receiverCapture =
                        ReceiverCapture.create(directory.resolve("receiver.npy"), packets, false);
                PacketSender sender = opened.openSender(run);
                PacketReceiver receiver = opened.openReceiver(run, sender.announce())) {
            PacketAccounting arrivals = new PacketAccounting(LoopbackRun.TAG, packets, warmUpPackets, receiverCapture);
            sender.connect(receiver.announce());
            pacer.start();
            for (long sequence = -warmUpPackets; sequence < 0; sequence++) {
                sender.send(sequence, pacer.await(sequence + warmUpPackets), senderCapture);
                sender.push();
                while (arrivals.warmUpReceived() < sequence + warmUpPackets + 1) {
                    receiver.receive(arrivals);
                }
            }
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            pacer.start();
            long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (long sequence = 0; sequence < packets; sequence++) {
                sender.send(sequence, pacer.await(sequence), senderCapture);
                sender.push();
                while (arrivals.received() < sequence + 1) {
                    receiver.receive(arrivals);
                }
            }
            long allocated =
                    threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            assertThat(arrivals.isComplete()).isTrue();
            // the least object has 16 bytes; what is left is the JVM's own, once
            assertThat(allocated).as("bytes for all %s packets", packets).isLessThan(packets);
        }
    }
}
