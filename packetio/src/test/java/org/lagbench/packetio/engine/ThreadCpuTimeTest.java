package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ThreadCpuTimeTest {
    @BeforeEach
    void measuresCpuTimeOnThisPlatform() {
        assumeThat(ThreadCpuTime.currentNs())
                .as("the platform measures CPU times of threads")
                .isNotEqualTo(ThreadCpuTime.UNKNOWN);
    }

    @Test
    void countsCpuTimeFinerThanTicks() {
        long smallestStepNs = Long.MAX_VALUE;
        long before = ThreadCpuTime.currentNs();
        for (int i = 0; i < 1_000; i++) {
            long now = ThreadCpuTime.currentNs();
            smallestStepNs = now == before ? smallestStepNs : Math.min(smallestStepNs, now - before);
            before = now;
        }

        assertThat(smallestStepNs).isBetween(1L, 999_999L);
    }

    @Test
    void readsAnotherThreadsTimeUntilItEnds() throws Exception {
        CountDownLatch counted = new CountDownLatch(1);
        Thread other = new Thread(() -> {
            while (counted.getCount() > 0) {
                Thread.onSpinWait();
            }
        });
        other.start();
        try {
            long before = ThreadCpuTime.ofNs(other);
            long now = before;
            while (now <= before) {
                now = ThreadCpuTime.ofNs(other);
            }
            assertThat(before).isNotNegative();
        } finally {
            counted.countDown();
            other.join();
        }
        assertThat(ThreadCpuTime.ofNs(other)).isEqualTo(ThreadCpuTime.UNKNOWN);
    }
}
