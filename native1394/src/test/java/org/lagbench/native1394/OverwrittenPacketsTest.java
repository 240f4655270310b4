package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;

@EnabledIf(value = StreamRun.IS_POSSIBLE, disabledReason = StreamRun.NO_LIBRARY)
class OverwrittenPacketsTest {
    private static final int RING = 64;

    @TempDir
    private Path directory;

    /** The receiver stalls until all slots of its ring, and the additional packet, are in use. */
    @Test
    void excludesPacketOverwrittenInReceiveRing() throws Exception {
        int packets = 3 * RING;
        Ieee1394Transport transport = new Ieee1394Transport();
        Map<String, String> settings = Map.of("receive-queue-packets", Integer.toString(RING));
        Path sent = directory.resolve(SenderCapture.FILE_NAME);
        Path received = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture receiverCapture = ReceiverCapture.create(received, packets, true);
                SenderCapture senderCapture = SenderCapture.create(sent, packets, true);
                PacketSender sender = transport.openSender(StreamRun.run(100, settings));
                PacketReceiver receiver = transport.openReceiver(StreamRun.receiver(100, settings, sender))) {
            PacketAccounting accounting =
                    new PacketAccounting(StreamRun.TAG, new Phases(0, packets, 0), receiverCapture);
            sender.connect(receiver.announce());
            for (int sequence = 0; sequence < packets; sequence++) {
                sender.send(sequence, SenderCapture.UNSCHEDULED, senderCapture);
            }
            sender.flush();
            while (receiver.receive(accounting) > 0) {
                assertThat(accounting.counts().duplicated()).isZero();
            }
            assertThat(accounting.counts().reordered()).isZero();
            assertThat(receiver.metadata()).containsEntry("packetsOverwritten", 1L);
        }
        List<long[]> all = StreamRun.records(received);
        assertThat(all.stream().map(record -> record[0]).toList())
                .startsWith(LongStream.rangeClosed(1, RING).boxed().toArray(Long[]::new));
        List<long[]> sentRecords = StreamRun.records(sent);
        assertThat(all).allSatisfy(record -> assertThat(record[2])
                .as("the cycle of packet %s", record[0])
                .isEqualTo(sentRecords.get((int) record[0])[4]));
    }

    /** A packet every 160 cycles (20 ms), of which packet 4 holds the content of packet 68. */
    @Test
    void recognizesOverwrittenPacketOfSlowStream() {
        OverwrittenPackets packets = new OverwrittenPackets(RING);
        List<Long> left = new ArrayList<>();
        for (long i = 0; i < 100; i++) {
            long sequence = i == 4 ? 68 : i;
            if (packets.isNext(sequence)) {
                packets.accept(sequence, i * 160);
            } else if (packets.check(sequence, i * 160, i + 1)) {
                left.add(i);
            }
        }
        assertThat(left).containsExactly(4L);
        assertThat(packets.count()).isEqualTo(1);
    }

    /** The warm-up is -20 to -1, the recorded packets 0 to 9, the lead-out -30 to -21. Packets 3, 4 and 8 are lost. */
    @Test
    void keepsLossesAndLeadOut() {
        OverwrittenPackets packets = new OverwrittenPackets(RING);
        long[] sequences = LongStream.concat(
                        LongStream.concat(LongStream.range(-20, 0), LongStream.of(0, 1, 2, 5, 6, 7, 9)),
                        LongStream.range(-30, -20))
                .toArray();
        for (int i = 0; i < sequences.length; i++) {
            long place = sequences[i] < -20 ? sequences[i] + 40 : sequences[i];
            long cycle = Math.floorMod(place - 5, 1_024_000L); // the cycle counter wraps at packet 5
            long next = i + 1 < sequences.length ? sequences[i + 1] : OverwrittenPackets.UNKNOWN;
            assertThat(packets.isNext(sequences[i]) || !packets.check(sequences[i], cycle, next))
                    .as("packet %s", sequences[i])
                    .isTrue();
            packets.accept(sequences[i], cycle);
        }
        assertThat(packets.count()).isZero();
    }

    @Test
    void recognizesPacketOverwrittenByLeadOut() {
        OverwrittenPackets packets = new OverwrittenPackets(RING);
        packets.check(5, 5, 6);
        assertThat(packets.check(-100, 6, 7)).isTrue();
        assertThat(packets.check(7, 7, 8)).isFalse();
    }
}
