package org.lagbench.packetio.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
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
import org.lagbench.core.run.Framing;
import org.lagbench.packetio.socket.DatagramArrivals;
import org.lagbench.packetio.socket.PacketArrivals;
import org.lagbench.packetio.socket.PacketDepartures;
import org.lagbench.packetio.socket.StreamArrivals;
import org.lagbench.packetio.transport.PacketLayout;

/** Compares departures that the kernel's observer records with the times around the calls that moved the packets. */
class LinuxDeparturesTest {
    private static final int PACKET_BYTES = 1_000;
    private static final int WRITES = 40;
    private static final int PACKETS_PER_WRITE = 25;
    private static final int PACKETS = WRITES * PACKETS_PER_WRITE;
    private static final long TAG = 0x1234_5678_9abc_def0L;

    private final long[] writtenNs = new long[WRITES];
    private final long[] readNs = new long[WRITES];

    @BeforeEach
    void requireRoot() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root may load the observer");
    }

    private static LinuxPacketRecord load(int capacity) {
        try {
            return LinuxPacketRecord.load(LinuxPacketRecord.Kind.DEPARTURES, capacity);
        } catch (LagbenchException e) {
            assumeTrue(false, e.sentence());
            throw new IllegalStateException(e);
        }
    }

    /** The kernel sends many packets at once, and divides some. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 4000, false", "::1, 4000, false", "127.0.0.1, 5, true"})
    void stampsEachPacketOfAStreamBetweenItsCalls(String host, int capacity, boolean isFull) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(host), 0);
        try (LinuxPacketRecord segments = load(capacity);
                ServerSocketChannel listening = ServerSocketChannel.open().bind(any)) {
            segments.startStream(((InetSocketAddress) listening.getLocalAddress()).getPort(), false);
            assertThat(segments.place()).isNull();
            try (SocketChannel sender = SocketChannel.open(listening.getLocalAddress());
                    SocketChannel receiver = listening.accept()) {
                for (int write = 0; write < WRITES; write++) {
                    ByteBuffer packets = ByteBuffer.allocate(PACKETS_PER_WRITE * PACKET_BYTES);
                    ByteBuffer received = ByteBuffer.allocate(packets.capacity());
                    writtenNs[write] = RealtimeClock.nowNs();
                    while (received.hasRemaining()) {
                        sender.write(packets);
                        receiver.read(received);
                    }
                    readNs[write] = RealtimeClock.nowNs();
                }
            }
            segments.stop();
            StreamPlace place = Objects.requireNonNull(segments.place());
            assertThat(place.offset()).isZero();
            int known = known(StreamArrivals.ofPart(segments, place, 0, PACKET_BYTES, PACKETS));
            assertThat(segments.foreign()).isZero();
            if (isFull) {
                assertThat(segments.lost()).isPositive();
                assertThat(known).isLessThan(PACKETS);
            } else {
                assertThat(segments.lost()).isZero();
                assertThat(known).isEqualTo(PACKETS);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void stampsEachPacketOfADatagramBetweenItsCalls(String host) throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getByName(host), 0);
        int packetBytes = 200;
        ByteBuffer datagram = ByteBuffer.allocate(PACKETS_PER_WRITE * packetBytes);
        try (LinuxPacketRecord recorded = load(2 * WRITES);
                DatagramChannel receiver = DatagramChannel.open().bind(any);
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress())) {
            recorded.startTagged(receiver.socket().getLocalPort(), TAG, 0);
            for (int write = 0; write < WRITES; write++) {
                PacketLayout.putIdentity(datagram.clear(), 0, TAG, (long) write * PACKETS_PER_WRITE);
                writtenNs[write] = RealtimeClock.nowNs();
                sender.write(datagram);
                receiver.receive(datagram.clear());
                readNs[write] = RealtimeClock.nowNs();
                PacketLayout.putIdentity(datagram.clear(), 0, TAG + 1, (long) write * PACKETS_PER_WRITE);
                sender.write(datagram); // of another run
                receiver.receive(datagram.clear());
            }
            recorded.stop();
            assertThat(recorded.lost()).isZero();
            assertThat(known(DatagramArrivals.of(recorded, Framing.NONE, packetBytes, 0, PACKETS)))
                    .isEqualTo(PACKETS);
        }
    }

    /** Checks when packets left. Returns how many did. */
    private int known(PacketDepartures departures) {
        int known = 0;
        for (int packet = 0; packet < PACKETS; packet++) {
            long leftNs = departures.leftNs(packet);
            if (leftNs != PacketArrivals.UNKNOWN) {
                int write = packet / PACKETS_PER_WRITE;
                assertThat(leftNs).isBetween(writtenNs[write], readNs[write]);
                known++;
            }
        }
        return known;
    }
}
