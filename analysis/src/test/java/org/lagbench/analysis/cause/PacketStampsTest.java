package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lagbench.analysis.cause.PacketStamps.Gap;

class PacketStampsTest {
    private static final long[] STAMPS_NS = {100, 200, 210, 800, 900};

    private static final PacketStamps STAMPS = new PacketStamps(STAMPS_NS.length, index -> STAMPS_NS[(int) index]);

    @Test
    void findsLongestPartWithoutStamp() throws Exception {
        assertThat(STAMPS.longestGap(150, 850)).isEqualTo(new Gap(210, 800));
        assertThat(STAMPS.longestGap(150, 230)).isEqualTo(new Gap(150, 200));
    }

    @Test
    void findsWholeSpanBetweenStamps() throws Exception {
        assertThat(STAMPS.longestGap(300, 700)).isEqualTo(new Gap(300, 700));
        assertThat(STAMPS.longestGap(210, 800)).isEqualTo(new Gap(210, 800));
    }

    @Test
    void findsSpansBeforeFirstAndAfterLastStamp() throws Exception {
        assertThat(STAMPS.longestGap(0, 100)).isEqualTo(new Gap(0, 100));
        assertThat(STAMPS.longestGap(850, 2_000)).isEqualTo(new Gap(900, 2_000));
    }

    /** The mean of these intervals is 1,025 µs. */
    @Test
    void knowsWhetherNextStampIsLate() throws Exception {
        long[] stampsNs = {0, 1_000_000, 2_000_000, 3_000_000, 4_100_000};
        PacketStamps stamps = new PacketStamps(stampsNs.length, index -> stampsNs[(int) index]);
        assertThat(stamps.isLongerThanUsual(new Gap(2_010_000, 2_990_000))).isFalse();
        assertThat(stamps.isLongerThanUsual(new Gap(2_000_000, 3_000_000))).isFalse();
        assertThat(stamps.isLongerThanUsual(new Gap(-5_000_000, 0))).isTrue();
        assertThat(stamps.isLongerThanUsual(new Gap(4_100_000, 5_000_000))).isTrue();
        stampsNs[4] = 5_000_000; // the mean is 1,250 µs
        assertThat(stamps.isLongerThanUsual(new Gap(3_500_000, 5_000_000))).isTrue();
    }
}
