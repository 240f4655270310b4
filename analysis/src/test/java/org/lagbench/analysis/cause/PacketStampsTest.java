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
}
