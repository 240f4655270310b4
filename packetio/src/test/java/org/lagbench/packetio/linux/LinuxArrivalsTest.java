package org.lagbench.packetio.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.StreamArrivals;

/** Compares arrivals that the kernel's observer records with the times around the calls that moved the packets. */
class LinuxArrivalsTest {
    private static final int PACKET_BYTES = 1_000;
    private static final int WRITES = 40;
    private static final int PACKETS_PER_WRITE = 25;

    @BeforeEach
    void requireRoot() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root may load the observer");
    }

    private static LinuxPacketRecord load(int capacity) {
        try {
            return LinuxPacketRecord.load(LinuxPacketRecord.Kind.ARRIVALS, capacity);
        } catch (LagbenchException e) {
            assumeTrue(false, e.sentence());
            throw new IllegalStateException(e);
        }
    }

    /** Many packets share a segment, and many packets are in two. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 4000, false", "::1, 4000, false", "127.0.0.1, 20, true"})
    void stampsEachPacketBetweenItsCalls(String host, int capacity, boolean isFull) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(host), 0);
        int packets = WRITES * PACKETS_PER_WRITE;
        long[] writtenNs = new long[WRITES];
        long[] readNs = new long[WRITES];
        try (LinuxPacketRecord segments = load(capacity);
                ServerSocketChannel listening = ServerSocketChannel.open().bind(any)) {
            segments.startStream(((InetSocketAddress) listening.getLocalAddress()).getPort(), false);
            try (SocketChannel sender = SocketChannel.open(listening.getLocalAddress());
                    SocketChannel receiver = listening.accept()) {
                for (int write = 0; write < WRITES; write++) {
                    writtenNs[write] = RealtimeClock.nowNs();
                    move(sender, receiver);
                    readNs[write] = RealtimeClock.nowNs();
                }
            }
            segments.stop();
            StreamArrivals arrivals = StreamArrivals.of(segments, PACKET_BYTES, packets);
            int known = 0;
            for (int packet = 0; packet < packets; packet++) {
                int write = packet / PACKETS_PER_WRITE;
                long arrivedNs = arrivals.arrivedNs(packet, readNs[write]);
                if (arrivedNs != StreamArrivals.UNKNOWN) {
                    assertThat(arrivedNs).isBetween(writtenNs[write], readNs[write]);
                    known++;
                }
            }
            assertThat(segments.foreign()).isZero();
            if (isFull) {
                assertThat(segments.lost()).isPositive();
                assertThat(known).isLessThan(packets);
            } else {
                assertThat(segments.lost()).isZero();
                assertThat(arrivals.bytes()).isEqualTo((long) packets * PACKET_BYTES);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void stampsPacketsOfAStreamThatHasBegun(String host) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(host), 0);
        int packets = WRITES * PACKETS_PER_WRITE;
        int known = 0;
        try (LinuxPacketRecord segments = load(4 * packets);
                ServerSocketChannel listening = ServerSocketChannel.open().bind(any);
                SocketChannel sender = SocketChannel.open(listening.getLocalAddress());
                SocketChannel receiver = listening.accept()) {
            long[] writtenNs = new long[WRITES];
            long[] readNs = new long[WRITES];
            for (int write = 0; write < WRITES; write++) {
                if (write == WRITES / 2) {
                    assertThat(segments.place()).isNull();
                    segments.startStream(((InetSocketAddress) listening.getLocalAddress()).getPort(), true);
                }
                writtenNs[write] = RealtimeClock.nowNs();
                move(sender, receiver);
                readNs[write] = RealtimeClock.nowNs();
            }
            segments.stop();
            StreamPlace place = Objects.requireNonNull(segments.place());
            StreamArrivals arrivals = StreamArrivals.ofPart(segments, place, 0, PACKET_BYTES, packets);
            for (int packet = 0; packet < packets; packet++) {
                int write = packet / PACKETS_PER_WRITE;
                long arrivedNs = arrivals.arrivedNs(packet, readNs[write]);
                if (arrivedNs != StreamArrivals.UNKNOWN) {
                    assertThat(arrivedNs).isBetween(writtenNs[write], readNs[write]);
                    assertThat(write).isGreaterThanOrEqualTo(WRITES / 2);
                    known++;
                }
            }
        }
        assertThat(known).isPositive();
    }

    private static void move(SocketChannel sender, SocketChannel receiver) throws Exception {
        ByteBuffer packets = ByteBuffer.allocate(PACKETS_PER_WRITE * PACKET_BYTES);
        ByteBuffer received = ByteBuffer.allocate(packets.capacity());
        while (packets.hasRemaining() || received.hasRemaining()) {
            packets.limit(Math.min(packets.capacity(), packets.position() + 1_300));
            while (packets.hasRemaining()) {
                sender.write(packets);
            }
            packets.limit(packets.capacity());
            while (received.position() < packets.position()) {
                receiver.read(received);
            }
        }
    }
}
