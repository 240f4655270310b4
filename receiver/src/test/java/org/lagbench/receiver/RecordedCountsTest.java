package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord.Counts;
import org.lagbench.core.run.RunRecord.WindowCounts;
import org.lagbench.core.run.RunSpec;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** The counts of packets that were asked for, without those of observed windows. */
class RecordedCountsTest {
    private static final int ASKED = 8_000;
    private static final long LEAD_IN = 10;
    private static final long LEAD_OUT = 16;

    @TempDir
    private Path directory;

    private static ControlMessage.Offer offer() {
        return offer(ASKED, LEAD_IN);
    }

    private static ControlMessage.Offer offer(int packets, long leadIn) {
        Point point = ReceiverUnderTest.request("udp", Map.of()).run().point();
        Point asked = new Point(
                point.transport(),
                point.packetBytes(),
                packets,
                leadIn,
                new Pace(Pace.Mode.HYBRID, 1_000_000),
                point.traffic(),
                point.settings(),
                point.program(),
                Set.of(ObservedSource.AUTO),
                point.conditions());
        return new ControlMessage.Offer(new RunSpec("run", asked, 1, null), leadIn, LEAD_OUT, "nonce", Map.of());
    }

    private static ControlMessage.Offer withoutWindows(ControlMessage.Offer offer) {
        return new ControlMessage.Offer(
                offer.run().with(offer.point().withoutAuto()), offer.leadInPackets(), LEAD_OUT, "nonce", Map.of());
    }

    @Test
    void countsMissingPackets() throws Exception {
        Path file = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(file, 3, false)) {
            for (long packet : new long[] {1, 5, 1}) {
                capture.append(packet, 1_000, -1);
            }
        }
        try (CaptureReader capture = CaptureReader.open(file)) {
            assertThat(RecordedCounts.missing(BitSet.valueOf(new long[] {0b11_0011}), capture))
                    .isEqualTo(2);
        }
    }

    @Test
    void countsPacketsOfWindows() throws Exception {
        Path file = directory.resolve(ReceiverCapture.FILE_NAME);
        long[] arrivals = {0, 1, 1, ASKED, ASKED + 2, ASKED + 1, ASKED + 1, 5, ASKED + 3};
        try (ReceiverCapture capture = ReceiverCapture.create(file, arrivals.length, false)) {
            for (int i = 0; i < arrivals.length; i++) {
                capture.append(arrivals[i], 1_000 + i, -1);
            }
        }
        try (CaptureReader capture = CaptureReader.open(file)) {
            assertThat(RecordedCounts.windows(offer().point(), capture)).isEqualTo(new WindowCounts(5, 4, 1));
        }
    }

    @Test
    void countsPacketsAskedForWithoutWindows() {
        ControlMessage.Offer offer = offer();
        long windows = offer.point().stampedPackets() - ASKED;
        assertThat(windows).isPositive();
        // of the packets asked for 20 are lost, and of the windows 7; the kernel dropped 12
        ReceivedCounts all = new ReceivedCounts(
                ASKED - 20 + 3 + windows - 7 + 2, ASKED - 20 + windows - 7, 5, 4, 6, 1, 0, LEAD_OUT, 0);
        WindowCounts ofWindows = new WindowCounts(windows - 7 + 2, windows - 7, 1);
        assertThat(RecordedCounts.of(offer, all, ofWindows, LEAD_IN, 12, 0, -1, 0))
                .isEqualTo(new Counts(ASKED - 17, ASKED - 20, 3, 3, 6, 1, 5, ofWindows));
    }

    @Test
    void countsAllPacketsOfRunWithoutWindows() {
        ControlMessage.Offer without = withoutWindows(offer());
        ReceivedCounts all = new ReceivedCounts(ASKED - 17, ASKED - 20, 3, 4, 6, 1, LEAD_IN - 2, LEAD_OUT - 1, 0);
        assertThat(RecordedCounts.of(without, all, null, LEAD_IN - 2, 12, 0, -1, 0))
                .isEqualTo(new Counts(ASKED - 17, ASKED - 20, 3, 4, 6, 1, 9, null));
    }

    /** Of 20 lost packets and 3 around them, full buffers dropped 8, and others were damaged. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "9, 9", "15, 15", "16, 15"})
    void countsDamagedPacketsAskedFor(long damaged, long expected) {
        ControlMessage.Offer without = withoutWindows(offer());
        ReceivedCounts all = new ReceivedCounts(ASKED - 17, ASKED - 20, 3, 4, 6, 1, LEAD_IN - 2, LEAD_OUT - 1, 0);
        Counts asked = RecordedCounts.of(without, all, null, LEAD_IN - 2, 8, 0, -1, 0);
        assertThat(asked.kernelDrops()).isEqualTo(5);
        assertThat(RecordedCounts.damaged(without, all, asked, LEAD_IN - 2, 8, damaged))
                .isEqualTo(expected);
        assertThat(RecordedCounts.damaged(without, all, asked, LEAD_IN - 2, -1, damaged))
                .isEqualTo(Math.max(0, Math.min(15, damaged - 3)));
    }

    /** The link damages 15 % of all packets, those of the lead-in too, while the buffer was full in the run alone. */
    @Test
    void dividesDamageAmongAllPackets() {
        ControlMessage.Offer offer = withoutWindows(offer(1_500, 200));
        ReceivedCounts all = new ReceivedCounts(864, 864, 0, 0, 0, 0, 170, LEAD_OUT - 2, 0);
        Counts asked = RecordedCounts.of(offer, all, null, 170, 413, 255, -1, 0);
        assertThat(asked.kernelDrops()).isEqualTo(413);
        assertThat(RecordedCounts.damaged(offer, all, asked, 170, 413, 255)).isEqualTo(223);
    }

    /** Here the kernel dropped copies too, so that its counter alone would give 20. */
    @Test
    void prefersRecordedDropsUnlessManyWereNotRecognized() {
        ReceivedCounts all = new ReceivedCounts(ASKED - 17, ASKED - 20, 3, 4, 6, 1, LEAD_IN - 2, LEAD_OUT - 1, 0);
        ControlMessage.Offer without = withoutWindows(offer());
        assertThat(RecordedCounts.of(without, all, null, LEAD_IN - 2, 30, 0, 30, 12)
                        .kernelDrops())
                .isEqualTo(12);
        assertThat(RecordedCounts.of(without, all, null, LEAD_IN - 2, 20, 0, 0, 0)
                        .kernelDrops())
                .isEqualTo(17);
    }
}
