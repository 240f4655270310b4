package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlowStartTest {
    /** The payload of a TCP segment over Ethernet with timestamps. */
    private static final int SEGMENT_BYTES = 1448;

    private static final double MS = 1e6;

    /**
     * Table 1 of Yousaf, Welzl and Junaid (2007): every row, with 766.5 KB instead of the misprint 766.0 at 4500 ms.
     */
    @ParameterizedTest
    @CsvSource({
        "0, 1, 3.0, 0.0",
        "1, 2, 6.0, 1.5",
        "2, 4, 12.0, 4.5",
        "3, 8, 24.0, 10.5",
        "4, 16, 48.0, 22.5",
        "5, 32, 96.0, 46.5",
        "6, 64, 192.0, 94.5",
        "7, 128, 384.0, 190.5",
        "8, 256, 768.0, 382.5",
        "9, 512, 1536.0, 766.5",
        "10, 1024, 3072.0, 1534.5",
        "11, 2048, 6144.0, 3070.5",
        "12, 4096, 12288.0, 6142.5",
        "13, 8192, 24576.0, 12286.5",
        "14, 16384, 49152.0, 24574.5",
        "15, 32768, 98304.0, 49150.5",
        "16, 65536, 196608.0, 98302.5"
    })
    void reproducesPublishedTable(int round, double window, double kilobytesPerS, double sentKilobytes) {
        SlowStart slowStart = new SlowStart(1, SlowStart.DOUBLING);
        assertThat(slowStart.windowAfter(round)).isEqualTo(window);
        assertThat(slowStart.windowAfter(round) * 1.5 / 0.5).isEqualTo(kilobytesPerS);
        assertThat(slowStart.sentIn(round) * 1.5).isEqualTo(sentKilobytes);
    }

    @ParameterizedTest
    @CsvSource({"16384, 4, 3, 2, 2", "65536, 6, 5, 4, 3", "1048576, 10, 9, 8, 7", "104857600, 17, 16, 15, 13"})
    void countsRoundTrips(long bytes, int ofOne, int ofTwo, int ofFour, int ofTen) {
        double segments = Math.ceil((double) bytes / SEGMENT_BYTES);
        int[] windows = {1, 2, 4, 10};
        int[] expected = {ofOne, ofTwo, ofFour, ofTen};
        for (int i = 0; i < windows.length; i++) {
            SlowStart slowStart = new SlowStart(windows[i], SlowStart.DOUBLING);
            assertThat(segments)
                    .as("initial window of %s", windows[i])
                    .isBetween(slowStart.sentIn(expected[i] - 1) + 1, slowStart.sentIn(expected[i]));
        }
    }

    /** 64 KiB over a round trip of 100 ms: 1.748 Mb/s with an initial window of 10 segments, 0.874 with one of 1. */
    @Test
    void estimatesSameRateOnAllFastPaths() {
        for (double bytesPerS : new double[] {1e9, 1e12}) {
            assertThat(mbps(new SlowStart(10, 2).transferNs(65_536, SEGMENT_BYTES, 100 * MS, bytesPerS)))
                    .isCloseTo(1.748, within(0.002));
            assertThat(mbps(new SlowStart(1, 2).transferNs(65_536, SEGMENT_BYTES, 100 * MS, bytesPerS)))
                    .isCloseTo(0.874, within(0.002));
        }
    }

    /**
     * A link that carries 100 segments in a round trip of 100 ms: windows of 10, 20, 40 and 80 need a round trip each,
     * then 850 segments need 1 ms each, and the last one a round trip.
     */
    @Test
    void sendsAtLinkRateOncePathIsFull() {
        double ns = new SlowStart(10, 2).transferNs(1_000_000, 1_000, 100 * MS, 1e6);
        assertThat(ns).isCloseTo((4 * 100 + 850 + 100) * MS, within(1.0));
    }

    /** The paper's point: ten times as many bytes do not take ten times as long. */
    @Test
    void takesLessThanTenTimesAsLongForTenTimesAsMuch() {
        SlowStart slowStart = new SlowStart(10, 2);
        double small = slowStart.transferNs(100_000, SEGMENT_BYTES, 100 * MS, 1e7);
        assertThat(slowStart.transferNs(1_000_000, SEGMENT_BYTES, 100 * MS, 1e7))
                .isLessThan(2.5 * small);
    }

    @Test
    void refusesWindowThatDoesNotGrow() {
        assertThatIllegalArgumentException().isThrownBy(() -> new SlowStart(0, 2));
        assertThatIllegalArgumentException().isThrownBy(() -> new SlowStart(1, 1));
    }

    private static double mbps(double ns) {
        return 65_536 * 8 / ns * 1e3;
    }
}
