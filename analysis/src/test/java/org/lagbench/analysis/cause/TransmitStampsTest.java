package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.KernelCapture;

class TransmitStampsTest {
    private static final int SENT = KernelCapture.SENT;
    private static final int SCHEDULED = KernelCapture.SCHEDULED;
    private static final int ACKNOWLEDGED = KernelCapture.ACKNOWLEDGED;

    @TempDir
    private Path directory;

    @Test
    void findsStampsOfADatagramByItsNumber() throws Exception {
        long[][] stamps = {
            {SCHEDULED, 2, 120},
            {SENT, 2, 121},
            {SCHEDULED, 3, 130},
            {SCHEDULED, 4, 140},
            {SENT, 3, 141},
            {SENT, 4, 142},
        };
        try (CaptureReader reader = capture(stamps)) {
            TransmitStamps found = new TransmitStamps(reader, 3, 1);

            assertThat(sentNs(found, 0)).isEqualTo(141);
            assertThat(sentNs(found, 1)).isEqualTo(142);
            assertThat(found.find(2)).isFalse();
        }
    }

    @Test
    void findsStampsOfASegmentsLastByte() throws Exception {
        // packets of 100 bytes end at offsets 99, 199, 299, 399; the segments at 99, 349 and 399
        long[][] stamps = {
            {SCHEDULED, 99, 1_000},
            {SENT, 99, 1_001},
            {ACKNOWLEDGED, 99, 1_009},
            {SCHEDULED, 349, 2_000},
            {SENT, 349, 2_001},
            {SCHEDULED, 399, 3_000},
            {ACKNOWLEDGED, 349, 3_001},
            {SENT, 399, 3_002},
        };
        try (CaptureReader reader = capture(stamps)) {
            TransmitStamps found = new TransmitStamps(reader, 99, 100);

            assertThat(sentNs(found, 0)).isEqualTo(1_001);
            assertThat(sentNs(found, 1)).isEqualTo(2_001);
            assertThat(sentNs(found, 2)).isEqualTo(2_001);
            assertThat(sentNs(found, 3)).isEqualTo(3_002);
        }
    }

    @Test
    void keepsFirstStampsOfARetransmittedPacket() throws Exception {
        long[][] stamps = {
            {SCHEDULED, 99, 10},
            {SENT, 99, 11},
            {SCHEDULED, 199, 20},
            {SENT, 199, 21},
            {SCHEDULED, 99, 900},
            {SENT, 99, 901},
        };
        try (CaptureReader reader = capture(stamps)) {
            TransmitStamps found = new TransmitStamps(reader, 99, 100);

            assertThat(sentNs(found, 0)).isEqualTo(11);
            assertThat(sentNs(found, 1)).isEqualTo(21);
        }
    }

    @Test
    void extendsKeysBeyond32Bits() throws Exception {
        long first = (1L << 32) - 2;
        long[][] stamps = {
            {SCHEDULED, first & 0xffff_ffffL, 10}, {SENT, first & 0xffff_ffffL, 11},
            {SCHEDULED, 0xffff_ffffL, 20}, {SENT, 0xffff_ffffL, 21},
            {SCHEDULED, 0, 30}, {SENT, 0, 31},
            {SCHEDULED, 1, 40}, {SENT, 1, 41},
        };
        // keys begin at the first warm-up packet, some stamps of which were kept
        long[][] withWarmUp = new long[stamps.length + 3][];
        withWarmUp[0] = new long[] {SCHEDULED, 1L << 30, 1};
        withWarmUp[1] = new long[] {SCHEDULED, 1L << 31, 2};
        withWarmUp[2] = new long[] {SCHEDULED, 3L << 30, 3};
        System.arraycopy(stamps, 0, withWarmUp, 3, stamps.length);
        try (CaptureReader reader = capture(both(withWarmUp))) {
            TransmitStamps found = new TransmitStamps(reader, first, 1);

            for (int packet = 0; packet < 4; packet++) {
                assertThat(sentNs(found, packet)).isEqualTo(10L * (packet + 1) + 1);
            }
        }
    }

    /**
     * Adds stamps of the stage SENT for the three warm-up packets, so that both stages have keys from the warm-up on.
     */
    private static long[][] both(long[][] stamps) {
        long[][] doubled = new long[stamps.length + 3][];
        for (int i = 0; i < 3; i++) {
            doubled[i] = new long[] {SENT, stamps[i][1], stamps[i][2]};
        }
        System.arraycopy(stamps, 0, doubled, 3, stamps.length);
        return doubled;
    }

    @Test
    void findsNoStampsWhereOneWasDropped() throws Exception {
        long[][] datagrams = {{SCHEDULED, 0, 10}, {SCHEDULED, 1, 20}, {SENT, 1, 21}, {SENT, 2, 31}};
        try (CaptureReader reader = capture(datagrams)) {
            TransmitStamps found = new TransmitStamps(reader, 0, 1);

            assertThat(found.find(0)).isFalse();
            assertThat(sentNs(found, 1)).isEqualTo(21);
            assertThat(found.find(2)).isFalse();
        }
        // the first segment has one stamp left; the next key in the other stage is of another segment
        long[][] stream = {{SCHEDULED, 99, 10}, {SCHEDULED, 199, 20}, {SENT, 199, 21}};
        try (CaptureReader reader = capture(stream)) {
            TransmitStamps found = new TransmitStamps(reader, 99, 100);

            assertThat(found.find(0)).isFalse();
            assertThat(sentNs(found, 1)).isEqualTo(21);
        }
        // both stamps of many segments were dropped: the next is more than a segment away
        long[][] gap = {{SCHEDULED, 99_999, 10}, {SENT, 99_999, 11}};
        try (CaptureReader reader = capture(gap)) {
            TransmitStamps found = new TransmitStamps(reader, 99, 100);

            assertThat(found.find(0)).isFalse();
            assertThat(sentNs(found, 999)).isEqualTo(11);
        }
    }

    @Test
    void findsStampsOfReorderedDatagrams() throws Exception {
        long[][] stamps = {
            {SCHEDULED, 0, 10}, {SCHEDULED, 1, 20}, {SCHEDULED, 2, 30}, {SENT, 2, 31}, {SENT, 1, 32}, {SENT, 0, 33},
        };
        try (CaptureReader reader = capture(stamps)) {
            TransmitStamps found = new TransmitStamps(reader, 0, 1);

            assertThat(sentNs(found, 2)).isEqualTo(31);
            assertThat(sentNs(found, 0)).isEqualTo(33);
            assertThat(sentNs(found, 1)).isEqualTo(32);
        }
    }

    @Test
    void findsMoreStampsThanTheWindowHolds() throws Exception {
        int packets = 300_000;
        long[][] stamps = new long[2 * packets][];
        for (int i = 0; i < packets; i++) {
            stamps[2 * i] = new long[] {SCHEDULED, i, 10L * i + 1};
            stamps[2 * i + 1] = new long[] {i == 150_000 ? ACKNOWLEDGED : SENT, i, 10L * i + 2};
        }
        try (CaptureReader reader = capture(stamps)) {
            TransmitStamps found = new TransmitStamps(reader, 0, 1);
            for (int i = 0; i < packets; i++) {
                boolean complete = found.find(i);
                assertThat(complete).isEqualTo(i != 150_000);
                if (complete) {
                    assertThat(found.sentNs(i)).isEqualTo(10L * i + 2);
                }
            }
        }
    }

    private static long sentNs(TransmitStamps stamps, long packet) throws Exception {
        assertThat(stamps.find(packet)).as("packet " + packet).isTrue();
        return stamps.sentNs(packet);
    }

    private CaptureReader capture(long[]... stamps) throws Exception {
        Path file = directory.resolve(stamps.length + "-" + System.nanoTime() + ".npy");
        try (KernelCapture capture = KernelCapture.create(file, stamps.length)) {
            for (long[] stamp : stamps) {
                capture.append(stamp[0], stamp[1], stamp[2]);
            }
        }
        return CaptureReader.open(file);
    }
}
