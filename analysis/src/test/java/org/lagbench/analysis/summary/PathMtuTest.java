package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathMtuTest {
    /** Computed by hand: each fragment but the last carries a multiple of 8 bytes after its IP header. */
    @ParameterizedTest
    @CsvSource({
        "1300, 1272, false, 1",
        "1300, 1273, false, 2",
        "1300, 1400, false, 2",
        "1500, 65507, false, 45",
        "1300, 1252, true, 1",
        "1300, 1253, true, 2",
        "1500, 4000, true, 3",
        "65536, 65507, false, 1"
    })
    void countsFragmentsOfDatagram(long mtuBytes, int packetBytes, boolean isIpv6, long fragments) {
        assertThat(PathMtu.of(mtuBytes, packetBytes, isIpv6)).isEqualTo(new PathMtu(mtuBytes, fragments, isIpv6));
    }
}
