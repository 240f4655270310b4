package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** Compares the engine c, built with sanitizers where possible, with the Java sender and receiver. */
class NativeEngineTest {
    private static final int PACKET_BYTES = 101;
    private static final int PACKETS = 5;
    private static final int WARM_UP = 3;
    private static final int LEAD_OUT = 1;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "1, none, CHANNELS",
        "1, none, SYSTEM_CALLS",
        "8, none, SYSTEM_CALLS",
        "1, 10s, SYSTEM_CALLS",
        "3, 200us, SYSTEM_CALLS"
    })
    void countsTheSameDatagramsAsAJavaReceiver(String batch, String busyPoll, SocketApi socketApi) throws Exception {
        Runs runs = new Runs("udp");
        Path nativeFile = directory.resolve("native.npy");
        SideConfig run = runs.side(PACKET_BYTES, Map.of("batch", batch, "busy-poll", busyPoll))
                .phases(WARM_UP, PACKETS, LEAD_OUT)
                .socketApi(socketApi)
                .file(nativeFile)
                .build();
        List<ByteBuffer> datagrams = new ArrayList<>();
        for (long sequence : new long[] {-3, -1, -4, -5, 0, 2, 1, 1, 4, 4, PACKETS, Integer.MAX_VALUE}) {
            datagrams.add(packet(Runs.TAG, sequence, PACKET_BYTES));
        }
        datagrams.add(packet(~Runs.TAG, 3, PACKET_BYTES));
        datagrams.add(packet(Runs.TAG, 3, PACKET_BYTES).putInt(12, 2)); // its number, with a right checksum
        datagrams.add(packet(Runs.TAG, 3, PACKET_BYTES - 1));
        datagrams.add(packet(Runs.TAG, 3, PACKET_BYTES + 1));
        datagrams.add(packet(Runs.TAG, 3, 60_000));
        datagrams.add(ByteBuffer.allocate(0));
        datagrams.add(packet(Runs.TAG, 3, PACKET_BYTES)); // the only packet not yet sent, which completes the run

        ReceivedCounts nativeCounts;
        try (ReceiverCapture capture = ReceiverCapture.create(nativeFile, 100, false);
                ReceiveEngine receiver = openReceiver(runs, run, capture)) {
            assertThat(receiver.awaitThread()).isNotNull();
            sendAll(port(receiver.announce()), datagrams);
            receiver.drain(60_000);
            assertThat(receiver.isDrained()).isTrue();
            assertThat(receiver.metadata()).containsKeys("packetThreadCpuNs", "receiveBufferBytes", "localAddress");
            assertThat(receiver.kernelDrops()).isZero();
            nativeCounts = receiver.counts();
        }

        Path javaFile = directory.resolve("java.npy");
        ReceivedCounts javaCounts;
        try (ReceiverCapture capture = ReceiverCapture.create(javaFile, 100, false);
                PacketReceiver receiver = runs.receiver(run)) {
            PacketAccounting accounting =
                    new PacketAccounting(Runs.TAG, new Phases(WARM_UP, PACKETS, LEAD_OUT), capture);
            sendAll(port(receiver.announce()), datagrams);
            while (!accounting.isComplete()) {
                receiver.receive(accounting);
            }
            javaCounts = accounting.counts();
        }

        assertThat(nativeCounts).isEqualTo(javaCounts).isEqualTo(new ReceivedCounts(7, 5, 2, 2, 8, 0, 2, 1, 1));
        assertThat(sequences(nativeFile)).isEqualTo(sequences(javaFile)).containsExactly(0L, 2L, 1L, 1L, 4L, 4L, 3L);
    }

    @ParameterizedTest
    @CsvSource({"udp, CHANNELS", "udp, SYSTEM_CALLS", "tcp, CHANNELS", "tcp, SYSTEM_CALLS"})
    void sendsTheSameBytesAsAJavaSenderExceptTheStamp(String transport, SocketApi socketApi) throws Exception {
        Runs runs = new Runs(transport);
        Path nativeFile = directory.resolve("native.npy");
        SideConfig run = runs.side(PACKET_BYTES, Map.of())
                .phases(WARM_UP, PACKETS, LEAD_OUT)
                .socketApi(socketApi)
                .file(nativeFile)
                .build();
        List<byte[]> nativePackets = new ArrayList<>();
        try (Peer peer = Peer.of(transport);
                SenderCapture capture = SenderCapture.create(nativeFile, PACKETS, false);
                SendEngine sender = openSender(runs, run, capture)) {
            sender.connect(peer.announcement());
            assertThat(sender.thread()).isNotNull();
            sender.send(-WARM_UP, 0, Pace.flood());
            assertThat(capture.records()).isZero();
            sender.send(0, PACKETS, new Pace(Pace.Mode.HYBRID, 100_000));
            assertThat(capture.records()).isEqualTo(PACKETS);
            assertThat(sender.lastIndex()).isEqualTo(PACKETS - 1);
            assertThat(sender.metadata())
                    .containsKeys("packetThreadCpuNs", "sendBufferBytes", "localAddress")
                    .containsEntry("timerSlackNs", 1L)
                    .containsEntry("remoteAddress", peer.address());
            for (int i = 0; i < WARM_UP + PACKETS; i++) {
                nativePackets.add(peer.receive(PACKET_BYTES).array());
            }
        }
        try (CaptureReader capture = CaptureReader.open(nativeFile)) {
            for (int i = 0; i < PACKETS; i++) {
                ByteBuffer packet = ByteBuffer.wrap(nativePackets.get(WARM_UP + i));
                assertThat(capture.value(i, capture.field("seq"))).isEqualTo(i);
                assertThat(PacketLayout.sentNs(packet, 0)).isEqualTo(capture.value(i, capture.field("sent_ns")));
                assertThat(capture.value(i, capture.field("sent_ns")))
                        .isBetween(
                                capture.value(i, capture.field("scheduled_ns")),
                                capture.value(i, capture.field("returned_ns")));
            }
        }

        try (Peer peer = Peer.of(transport);
                SenderCapture capture = SenderCapture.create(directory.resolve("java.npy"), PACKETS, false);
                PacketSender sender = runs.sender(run)) {
            sender.connect(peer.announcement());
            for (int i = 0; i < WARM_UP + PACKETS; i++) {
                sender.send(i - WARM_UP, SenderCapture.UNSCHEDULED, capture);
                sender.push();
                byte[] javaPacket = peer.receive(PACKET_BYTES).array();
                PacketLayout.putSentNs(ByteBuffer.wrap(javaPacket), 0, 0);
                PacketLayout.putSentNs(ByteBuffer.wrap(nativePackets.get(i)), 0, 0);
                assertThat(nativePackets.get(i)).isEqualTo(javaPacket);
            }
        }
    }

    @Test
    void findsTheSenderAmongOtherConnections() throws Exception {
        Runs runs = new Runs("tcp");
        Path file = directory.resolve("receiver.npy");
        try (ReceiverCapture capture = ReceiverCapture.create(file, 100, false);
                ReceiveEngine receiver = openReceiver(runs, config(runs, file), capture)) {
            InetSocketAddress port = port(receiver.announce());
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                silent.add(new Socket(port.getAddress(), port.getPort()));
            }
            try (Socket rude = new Socket(port.getAddress(), port.getPort());
                    Socket sender = new Socket(port.getAddress(), port.getPort())) {
                rude.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                while (receiver.counts().foreign() == 0) {
                    LockSupport.parkNanos(1_000_000);
                }
                ByteBuffer stream = ByteBuffer.allocate(PACKETS * PACKET_BYTES);
                for (int i = 0; i < PACKETS; i++) {
                    stream.put(packet(Runs.TAG, i, PACKET_BYTES));
                }
                sender.setTcpNoDelay(true);
                int at = 0;
                for (int bytes = 1; at < stream.capacity(); bytes = 2 * bytes + 1) {
                    int count = Math.min(bytes, stream.capacity() - at);
                    sender.getOutputStream().write(stream.array(), at, count);
                    at += count;
                }
                receiver.drain(60_000);
                assertThat(receiver.counts()).isEqualTo(new ReceivedCounts(5, 5, 0, 0, 201, 0, 0, 0, 0));
            } finally {
                for (Socket stranger : silent) {
                    stranger.close();
                }
            }
        }
        assertThat(sequences(file)).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void reportsACorruptStreamAndKeepsEarlierPackets() throws Exception {
        Runs runs = new Runs("tcp");
        Path file = directory.resolve("receiver.npy");
        CompletableFuture<String> failed = new CompletableFuture<>();
        try (ReceiverCapture capture = ReceiverCapture.create(file, 100, false);
                ReceiveEngine receiver = runs.openReceiver("c", config(runs, file), capture, failed::complete)) {
            InetSocketAddress port = port(receiver.announce());
            try (SocketChannel sender = SocketChannel.open(port)) {
                ByteBuffer stream = ByteBuffer.allocate(2 * PACKET_BYTES);
                stream.put(packet(Runs.TAG, 0, PACKET_BYTES));
                stream.put(packet(~Runs.TAG, 1, PACKET_BYTES)).flip();
                sender.write(stream);
                assertThat(failed.get(60, TimeUnit.SECONDS)).contains("corrupt").contains("after 1 packets");
            }
        }
        assertThat(sequences(file)).containsExactly(0L);
    }

    @Test
    void keepsThePacketsOfAKilledSender() throws Exception {
        Runs runs = new Runs("udp");
        Path file = directory.resolve("sender.npy");
        try (Peer peer = Peer.of("udp");
                SenderCapture capture = SenderCapture.create(file, 1_000_000, false);
                SendEngine sender = openSender(runs, config(runs, 1_000_000, 0, file), capture)) {
            sender.connect(peer.announcement());
            CompletableFuture<Void> killing = CompletableFuture.runAsync(() -> {
                while (sender.lastIndex() < 10) {
                    LockSupport.parkNanos(1_000_000);
                }
                Runs.killNativeEngines();
            });
            assertThatThrownBy(() -> sender.send(0, 1_000_000, new Pace(Pace.Mode.SLEEP, 1_000_000)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("signal 9");
            killing.get(60, TimeUnit.SECONDS);
            assertThat(capture.records()).isGreaterThan(10);
        }
        try (CaptureReader capture = CaptureReader.open(file)) {
            assertThat(capture.records()).isGreaterThan(10);
            assertThat(capture.unfinished()).isFalse();
        }
    }

    @Test
    void stopsAWaitingSender() throws Exception {
        Runs runs = new Runs("tcp");
        for (Pace pace : List.of(Pace.flood(), new Pace(Pace.Mode.SLEEP, TimeUnit.SECONDS.toNanos(10)))) {
            Path file = directory.resolve(pace.mode().text() + ".npy");
            try (Peer peer = Peer.of("tcp");
                    SenderCapture capture = SenderCapture.create(file, 1_000_000, false);
                    SendEngine sender = openSender(runs, config(runs, 1_000_000, 0, file), capture)) {
                sender.connect(peer.announcement());
                CompletableFuture<Void> stopping = CompletableFuture.runAsync(() -> {
                    while (sender.lastIndex() < 0) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    sender.stop();
                });
                assertThatThrownBy(() -> sender.send(0, 1_000_000, pace)).isInstanceOf(InterruptedIOException.class);
                stopping.get(60, TimeUnit.SECONDS);
                assertThat(capture.records()).isPositive();
            }
        }
    }

    @Test
    void reportsRefusedConnection() throws Exception {
        Runs runs = new Runs("tcp");
        Path file = directory.resolve("sender.npy");
        Map<String, String> closedPeer;
        try (Peer peer = Peer.of("tcp")) {
            closedPeer = peer.announcement();
        }
        try (SenderCapture capture = SenderCapture.create(file, PACKETS, false);
                SendEngine sender = openSender(runs, config(runs, file), capture)) {
            assertThatThrownBy(() -> sender.connect(closedPeer))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("Cannot connect to the receiver's TCP data port")
                    .hasMessageContaining("Connection refused");
        }
    }

    @Test
    void reportsAKilledReceiverToAJavaSender() throws Exception {
        Runs runs = new Runs("tcp");
        Path receivers = directory.resolve("receiver.npy");
        SideConfig config = config(runs, 2_000_000, 0, receivers);
        try (ReceiverCapture capture = ReceiverCapture.create(receivers, 10, false);
                ReceiveEngine receiver = openReceiver(runs, config, capture);
                SenderCapture sent = SenderCapture.create(directory.resolve("sender.npy"), 2_000_000, false);
                SendEngine sender = runs.openSender("java", config, sent)) {
            sender.connect(receiver.announce());
            sender.send(-WARM_UP, 0, Pace.flood());
            await().atMost(60, TimeUnit.SECONDS).until(() -> receiver.counts().warmUpReceived() == WARM_UP);
            Runs.killNativeEngines();
            assertThatThrownBy(() -> sender.send(0, 2_000_000, Pace.flood()))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("The receiver 127\\.0\\.0\\.1:\\d+ ended the TCP connection:"
                            + " (Broken pipe|Connection reset by peer)");
        }
    }

    private static SendEngine openSender(Runs runs, SideConfig config, SenderCapture capture) throws LagbenchException {
        return runs.openSender("c", config, capture);
    }

    private static ReceiveEngine openReceiver(Runs runs, SideConfig config, ReceiverCapture capture)
            throws LagbenchException {
        return runs.openReceiver("c", config, capture, why -> {});
    }

    private static SideConfig config(Runs runs, Path file) throws LagbenchException {
        return config(runs, PACKETS, LEAD_OUT, file);
    }

    private static SideConfig config(Runs runs, long packets, long leadOut, Path file) throws LagbenchException {
        return runs.side(PACKET_BYTES, Map.of())
                .phases(WARM_UP, packets, leadOut)
                .file(file)
                .build();
    }

    private static InetSocketAddress port(Map<String, String> announcement) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(announcement.getOrDefault("port", "none")));
    }

    private static ByteBuffer packet(long tag, long sequence, int bytes) {
        ByteBuffer packet = ByteBuffer.allocate(bytes);
        PacketLayout.putIdentity(packet, 0, tag, sequence);
        return packet;
    }

    private static void sendAll(InetSocketAddress port, List<ByteBuffer> datagrams) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (ByteBuffer datagram : datagrams) {
                byte[] bytes = new byte[datagram.capacity()];
                datagram.duplicate().get(bytes);
                socket.send(new DatagramPacket(bytes, bytes.length, port));
            }
        }
    }

    private static List<Long> sequences(Path file) throws LagbenchException {
        try (CaptureReader capture = CaptureReader.open(file)) {
            List<Long> sequences = new ArrayList<>();
            for (long i = 0; i < capture.records(); i++) {
                sequences.add(capture.value(i, capture.field("seq")));
            }
            return sequences;
        }
    }
}
