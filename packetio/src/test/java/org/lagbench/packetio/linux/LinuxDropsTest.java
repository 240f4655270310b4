package org.lagbench.packetio.linux;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketLayout;

/** Compares the kernel's drops with the datagrams that a small receive buffer did not hold. */
class LinuxDropsTest {
    private static final int PACKETS = 200;
    private static final int PACKET_BYTES = 500;
    private static final long TAG = 0x1234_5678_9abc_def0L;

    private static LinuxPacketRecord load() {
        try {
            return LinuxPacketRecord.load(LinuxPacketRecord.Kind.DROPS, PACKETS);
        } catch (LagbenchException e) {
            assumeTrue(false, e.sentence());
            throw new IllegalStateException(e);
        }
    }

    @Test
    void namesEachDatagramThatABufferDidNotHold() throws Exception {
        long beforeNs = RealtimeClock.nowNs();
        ByteBuffer packet = ByteBuffer.allocate(PACKET_BYTES);
        try (LinuxPacketRecord drops = load();
                DatagramChannel receiver = DatagramChannel.open()
                        .setOption(StandardSocketOptions.SO_RCVBUF, 8_192)
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress())) {
            receiver.configureBlocking(false);
            drops.startTagged(receiver.socket().getLocalPort(), TAG, 0);
            for (int i = 0; i < PACKETS; i++) {
                PacketLayout.putIdentity(packet.clear(), 0, TAG, i);
                sender.write(packet);
            }
            Set<Integer> received = new HashSet<>();
            Map<Integer, Long> dropped = new TreeMap<>();
            await().atMost(60, SECONDS).until(() -> {
                while (receiver.receive(packet.clear()) != null) {
                    received.add((int) packet.getLong(Long.BYTES));
                }
                drops.forEach((atNs, sequence, bytes, reason) -> dropped.put(sequence, reason));
                return received.size() + dropped.size() == PACKETS;
            });
            drops.stop();
            assertThat(drops.lost()).isZero();
            assertThat(received).isNotEmpty().doesNotContainAnyElementsOf(dropped.keySet());
            assertThat(new HashSet<>(dropped.values())).hasSize(1);
            drops.forEach((atNs, sequence, bytes, reason) -> {
                assertThat(atNs).isBetween(beforeNs, RealtimeClock.nowNs());
                assertThat(bytes).isEqualTo(PACKET_BYTES);
            });
            if (!DropReasons.ofKernel().isEmpty()) {
                assertThat(DropReasons.ofKernel())
                        .containsEntry(dropped.values().iterator().next(), "SOCKET_RCVBUFF");
            }
        }
    }

    @Test
    void readsReasonsFromTheKernelsTypes() {
        assumeTrue(Files.isReadable(Path.of("/sys/kernel/btf/vmlinux")), "this kernel has no BTF");
        Map<Long, String> names = DropReasons.ofKernel();
        assumeTrue(!names.isEmpty(), "this kernel is older than 5.17");
        assertThat(names.values()).contains("NOT_SPECIFIED", "NO_SOCKET", "SOCKET_RCVBUFF");
    }

    @Test
    void findsNoReasonsInOtherData() {
        assertThat(DropReasons.of(ByteBuffer.allocate(64))).isEmpty();
    }
}
