package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.lagbench.packetio.transport.Retransmissions;

class FullWindowsTest {
    private static final long MS = 1_000_000;
    private static final long ORIGIN_NS = 1_790_000_000_000_000_000L;

    private final FullWindows windows = new FullWindows();

    /** Counts at a time, at which the window had been full for another time since the connection began. */
    private long count(long atMs, long fullMs) {
        return windows.count(new Retransmissions(ORIGIN_NS + atMs * MS, 0, 0, 0, 0, 0, 0, 0, fullMs * MS));
    }

    private long startMs() {
        return (windows.startNs() - ORIGIN_NS) / MS;
    }

    private long[] endsMs() {
        return Arrays.stream(windows.endsNs())
                .map(endNs -> (endNs - ORIGIN_NS) / MS)
                .toArray();
    }

    @Test
    void findsWhenTheWindowWasFull() {
        assertThat(count(0, 1_000)).isZero();
        assertThat(count(20, 1_000)).isZero();
        assertThat(count(30, 1_000)).isZero();
        assertThat(count(40, 1_008)).isZero(); // since 32
        assertThat(count(60, 1_028)).isZero();
        assertThat(count(80, 1_040)).isZero(); // the kernel's timer ticks every 10 ms at most
        assertThat(count(100, 1_044)).isOne(); // until 84
        assertThat(startMs()).isEqualTo(32);
        assertThat(count(120, 1_044)).isOne();
        assertThat(endsMs()).containsExactly(84);
    }

    @Test
    void dividesALongTime() {
        for (long atMs = 0; atMs <= 500; atMs += 20) {
            count(atMs, atMs);
        }
        assertThat(count(520, 500)).isEqualTo(3);
        assertThat(startMs()).isEqualTo(400);
        assertThat(endsMs()).containsExactly(200, 400, 500);
    }

    @Test
    void findsNothingThatAnOldKernelDoesNotCount() {
        Retransmissions unknown = new Retransmissions(ORIGIN_NS, 0, 0, 0, 0, 0, 0, 0, -1);
        assertThat(windows.count(unknown)).isEqualTo(-1);
        assertThat(windows.endsNs()).isEmpty();
    }
}
