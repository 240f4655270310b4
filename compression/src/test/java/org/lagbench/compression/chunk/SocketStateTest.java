package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;

class SocketStateTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    private static final int CHUNK_BYTES = 1 << 16;

    private final SocketState state = new SocketState();

    /** SIOCOUTQ (tcp(7)) is the truth. The receiver reads nothing, so that its window closes. */
    @Test
    void reportsTheSocketsOwnOccupancy() throws Exception {
        try (ServerSocketChannel listening = ServerSocketChannel.open().bind(ANY_PORT);
                SocketChannel sender = SocketChannel.open(listening.getLocalAddress());
                SocketChannel receiver = listening.accept();
                LinuxSocket socket = LinuxSockets.open(sender)) {
            assertThat(receiver.isConnected()).isTrue();
            sender.configureBlocking(false);
            while (sender.write(ByteBuffer.allocate(CHUNK_BYTES)) > 0) {
                // writes until the send buffer is full
            }
            long[] occupancy = new long[LinuxSocket.OCCUPANCY_VALUES];
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                socket.readTcpState(state.values(), 0);
                socket.readOccupancy(occupancy);
                assertThat(state.bufferBytes()).isPositive().isEqualTo(occupancy[0]);
            });
        }
    }

    @Test
    void countsOnlyBytesInTheSendBuffer() {
        state.values()[SocketState.index("acked_bytes")] = 1_000;
        state.values()[SocketState.index("sent_bytes")] = 1_900;
        state.values()[SocketState.index("retransmitted_bytes")] = 200;
        state.values()[SocketState.index("not_sent_bytes")] = 50;
        state.read(0, 10_000, 4_000, 0);

        assertThat(state.bufferBytes()).as("1,700 bytes sent once, 50 not yet").isEqualTo(750);
        assertThat(state.occupancyBytes()).as("with chunks ready to be written").isEqualTo(9_000);
    }

    @Test
    void hasNoOccupancyOnKernelsThatDoNotReportIt() {
        Arrays.fill(state.values(), 0);
        state.values()[SocketState.index("sent_bytes")] = -1;
        state.read(0, 10_000, 4_000, 0);

        assertThat(state.bufferBytes()).isEqualTo(-1);
    }
}
