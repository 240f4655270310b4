package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;

/** The stamps of a transport's sockets, recorded by the kernel of the machine that runs the test. */
class TimestampingTest {
    private static final long TAG = 0x1234_5678_9abc_def0L;
    private static final int PACKETS = 100;
    private static final int WARM_UP = 50;

    @TempDir
    private Path directory;

    /** Packets sent by one call also have separate kernel stamps, between the two stamps of the call. */
    @ParameterizedTest
    @CsvSource({"udp, batch, 1", "udp, batch, 16", "udp, busy-poll, 50us", "tcp, no-delay, true", "tcp, no-delay, false"
    })
    void ordersStampsAlongEachPacketsPath(String transport, String setting, String value) throws Exception {
        int packetBytes = 100;
        Map<String, Object> metadata = run(transport, packetBytes, Map.of(setting, value));
        long first = ((Number) metadata.get(KernelCapture.FIRST_KEY_NAME)).longValue();
        assertThat(first).isEqualTo(transport.equals("tcp") ? (WARM_UP + 1) * packetBytes - 1 : WARM_UP);

        try (CaptureReader sent = CaptureReader.open(directory.resolve(SenderCapture.FILE_NAME));
                CaptureReader kernel = CaptureReader.open(directory.resolve(KernelCapture.FILE_NAME));
                CaptureReader received = CaptureReader.open(directory.resolve(ReceiverCapture.FILE_NAME))) {
            assertThat(received.records()).isEqualTo(PACKETS);
            int stamped = 0;
            for (int packet = 0; packet < PACKETS; packet++) {
                long key = first + (long) packet * (transport.equals("tcp") ? packetBytes : 1);
                long scheduledNs = stamp(kernel, KernelCapture.SCHEDULED, key);
                long driverNs = stamp(kernel, KernelCapture.SENT, key);
                long kernelNs = received.value(packet, received.field("kernel_ns"));
                if (scheduledNs != 0 && driverNs != 0 && kernelNs != 0) {
                    stamped++;
                    if (transport.equals("udp")) {
                        assertThat(scheduledNs).isLessThanOrEqualTo(sent.value(packet, sent.field("returned_ns")));
                    }
                    assertThat(new long[] {
                                sent.value(packet, sent.field("sent_ns")),
                                scheduledNs,
                                driverNs,
                                kernelNs,
                                received.value(packet, received.field("received_ns"))
                            })
                            .isSorted();
                }
            }
            // TCP may put packets into one segment
            assertThat(stamped).isPositive();
        }
    }

    @Test
    void rejectsSegmentationOffload() {
        assertThatThrownBy(() -> runWhileStamping("udp", 100, Map.of("batch", "16", "offload", "on")))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("udp.offload: off");
    }

    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp"})
    void samplesBuffersOnBothSides(String transport) throws Exception {
        run(transport, 100, Map.of());
        for (String file : new String[] {BufferFiles.SENDER_FILE_NAME, BufferFiles.RECEIVER_FILE_NAME}) {
            try (CaptureReader buffers = CaptureReader.open(directory.resolve(file))) {
                assertThat(buffers.records()).isPositive();
                assertThat(buffers.unfinished()).isFalse();
            }
        }
    }

    /** Sends and receives all packets while the kernel stamps received data, and closes both sides. */
    private Map<String, Object> run(String name, int packetBytes, Map<String, String> settings) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (DatagramChannel receiver = DatagramChannel.open().bind(anyPort);
                DatagramChannel sender = DatagramChannel.open().connect(receiver.getLocalAddress());
                LinuxSocket socket = LinuxSockets.open(receiver)) {
            socket.enableReceiveStamps();
            // the kernel starts stamping a moment after the first socket requests it, and stops with the last one
            await().atMost(1, TimeUnit.MINUTES).until(() -> {
                sender.write(ByteBuffer.wrap(new byte[1]));
                ReceiveBatch batch = ReceiveBatch.ofDatagrams(1, 1, 0);
                socket.receive(batch);
                return batch.kernelNs(0) != 0;
            });
            return runWhileStamping(name, packetBytes, settings);
        }
    }

    private Map<String, Object> runWhileStamping(String name, int packetBytes, Map<String, String> settings)
            throws Exception {
        PacketTransport transport = PacketTransport.of(Transports.load().named(name));
        SideConfig run = new SideBuilder(name, TAG, packetBytes, settings)
                .phases(WARM_UP, PACKETS, 0)
                .observe(ObservedSource.TIMESTAMPING)
                .file(directory.resolve(SenderCapture.FILE_NAME))
                .build();
        try (SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), PACKETS, false);
                ReceiverCapture received = ReceiverCapture.create(
                        directory.resolve(ReceiverCapture.FILE_NAME), PACKETS, ReceiverCapture.KERNEL_FIELDS);
                PacketReceiver receiver = transport.openReceiver(run);
                PacketSender sender = transport.openSender(run)) {
            PacketAccounting accounting = new PacketAccounting(TAG, new Phases(WARM_UP, PACKETS, 0), received);
            CompletableFuture<Void> receiving = CompletableFuture.runAsync(() -> receiveAll(receiver, accounting));
            sender.connect(receiver.announce());
            for (long sequence = -WARM_UP; sequence < PACKETS; sequence++) {
                sender.send(sequence, SenderCapture.UNSCHEDULED, sent);
            }
            sender.flush();
            receiving.get(60, TimeUnit.SECONDS);
            sender.endSocketRecord();
            receiver.endSocketRecord();
            return sender.metadata();
        }
    }

    private static void receiveAll(PacketReceiver receiver, PacketAccounting accounting) {
        try {
            while (!accounting.isComplete() && receiver.receive(accounting) != PacketReceiver.END) {
                // receive() in the condition does the work
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long stamp(CaptureReader kernel, int stage, long key) throws Exception {
        for (long i = 0; i < kernel.records(); i++) {
            if (kernel.value(i, kernel.field("stage")) == stage && kernel.value(i, kernel.field("key")) == key) {
                return kernel.value(i, kernel.field("kernel_ns"));
            }
        }
        return 0;
    }
}
