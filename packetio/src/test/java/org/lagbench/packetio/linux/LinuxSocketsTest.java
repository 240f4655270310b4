package org.lagbench.packetio.linux;

import static java.net.StandardProtocolFamily.INET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.packetio.socket.SocketDrops;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SocketIo;

class LinuxSocketsTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    @Test
    void stampsPacketsSentByJava() throws Exception {
        try (DatagramChannel receiver = DatagramChannel.open().bind(ANY_PORT);
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress());
                LinuxSocket socket = LinuxSockets.open(sender)) {
            socket.enableTransmitStamps();
            long beforeNs = RealtimeClock.nowNs();
            sender.write(ByteBuffer.wrap(new byte[24]));
            ByteBuffer stamps = ByteBuffer.allocateDirect(8 * LinuxSocket.STAMP_VALUES * Long.BYTES)
                    .order(ByteOrder.nativeOrder());
            int count = socket.takeTransmitStamps(stamps);

            assertThat(count).isEqualTo(2);
            for (int i = 0; i < count; i++) {
                assertThat(stamps.getLong(i * 24 + 8)).as("key").isZero();
                assertThat(stamps.getLong(i * 24 + 16)).as("time").isBetween(beforeNs, RealtimeClock.nowNs());
            }
        }
    }

    @Test
    void countsSameDropsAsProcNetUdp() throws Exception {
        try (DatagramChannel receiver = DatagramChannel.open(INET).bind(ANY_PORT);
                DatagramChannel sender = DatagramChannel.open(INET).connect(receiver.getLocalAddress());
                LinuxSocket socket = LinuxSockets.open(receiver)) {
            assertThat(socket.drops()).isZero();
            for (int i = 0; i < 2_000; i++) { // the default receive buffer holds fewer datagrams
                sender.write(ByteBuffer.wrap(new byte[1_000]));
            }
            assertThat(socket.drops())
                    .isPositive()
                    .isEqualTo(new SocketDrops((InetSocketAddress) receiver.getLocalAddress()).count());
        }
    }

    @Test
    void receivesWithTheKernelsStamp() throws Exception {
        try (DatagramChannel receiver = DatagramChannel.open().bind(ANY_PORT);
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress());
                LinuxSocket socket = LinuxSockets.open(receiver)) {
            socket.enableReceiveStamps();
            // the kernel begins to stamp a moment after the first socket requests it
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                long beforeNs = RealtimeClock.nowNs();
                sender.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
                ReceiveBatch batch = ReceiveBatch.ofDatagrams(1, 3, 0);

                assertThat(socket.receive(batch)).isEqualTo(1);
                assertThat(batch.bytes(0)).isEqualTo(3);
                assertThat(batch.packets().get(batch.offset(0) + 2)).isEqualTo((byte) 3);
                assertThat(batch.kernelNs(0)).isBetween(beforeNs, batch.receivedNs(0));
                assertThat(batch.receivedNs(0)).isLessThanOrEqualTo(RealtimeClock.nowNs());
            });
        }
    }

    @Test
    void closingEndsABlockedReceive() throws Exception {
        try (DatagramChannel receiver = DatagramChannel.open().bind(ANY_PORT)) {
            LinuxSocket socket = LinuxSockets.open(receiver);
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return socket.receive(ReceiveBatch.ofDatagrams(1, 1, 0));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            socket.close();

            assertThat(waiting.get(60, TimeUnit.SECONDS)).isEqualTo(SocketIo.END);
            assertThat(socket.receive(ReceiveBatch.ofDatagrams(1, 1, 0))).isEqualTo(SocketIo.END);
        }
    }

    @Test
    void leavesNoFileDescriptorOpen() throws Exception {
        try (ServerSocketChannel listening = ServerSocketChannel.open().bind(ANY_PORT);
                SocketChannel sender = SocketChannel.open(listening.getLocalAddress());
                SocketChannel receiver = listening.accept()) {
            LinuxSockets.open(sender).close(); // loads the library and classes
            long before = descriptors();
            for (int i = 0; i < 20; i++) {
                LinuxSocket socket = LinuxSockets.open(receiver);
                sender.write(ByteBuffer.wrap(new byte[1]));
                assertThat(socket.receive(ReceiveBatch.ofStream(ByteBuffer.allocateDirect(1))))
                        .isEqualTo(1);
                socket.close();
                socket.close();
            }
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(descriptors()).isLessThan(before + 20));
        }
    }

    @Test
    void rejectsAClosedChannelWhoseNumberWasReused() throws Exception {
        DatagramChannel closed = DatagramChannel.open();
        closed.close();
        try (DatagramChannel next = DatagramChannel.open()) { // gets the descriptor number of the closed channel
            assertThat(next.isOpen()).isTrue();
            assertThatThrownBy(() -> LinuxSockets.open(closed)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void readsTheOccupancyOfBuffers() throws Exception {
        try (ServerSocketChannel listening = ServerSocketChannel.open().bind(ANY_PORT);
                SocketChannel sender = SocketChannel.open(listening.getLocalAddress());
                SocketChannel receiver = listening.accept();
                LinuxSocket socket = LinuxSockets.open(receiver)) {
            sender.write(ByteBuffer.wrap(new byte[1_000]));
            long[] values = new long[LinuxSocket.OCCUPANCY_VALUES];
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                socket.readOccupancy(values);
                assertThat(values[3]).isEqualTo(1_000);
            });
        }
    }

    @Test
    void setsTheCongestionControl() throws Exception {
        try (SocketChannel channel = SocketChannel.open();
                LinuxSocket socket = LinuxSockets.open(channel)) {
            socket.setCongestionControl("reno");

            assertThat(socket.congestionControl()).isEqualTo("reno");
            assertThatThrownBy(() -> socket.setCongestionControl("no-such"))
                    .hasMessageContaining("tcp_available_congestion_control");
            assertThatThrownBy(() -> socket.setCongestionControl("longer than any name is"))
                    .hasMessageContaining("tcp_available_congestion_control");
        }
    }

    @Test
    void namesTheFailedCall() throws Exception {
        try (DatagramChannel channel = DatagramChannel.open();
                LinuxSocket socket = LinuxSockets.open(channel)) {
            assertThatThrownBy(socket::congestionControl)
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("cannot read the congestion control: \\p{L}.+ \\(errno \\d+\\)");
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }
}
