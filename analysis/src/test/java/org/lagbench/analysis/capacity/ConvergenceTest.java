package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.capacity.Convergence.Sample;
import org.lagbench.core.bandwidth.BandwidthMonitor;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterHistory;
import org.lagbench.core.bandwidth.CounterSource.CounterReading;

class ConvergenceTest {
    /** The estimate falls linearly from 10 to 4 Mb/s in 4 s. It is right from 0.2 Mb/s above the true value. */
    @Test
    void findsTimeUntilEstimateStaysCorrect() {
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i <= 160; i++) {
            double atS = i / 10.0;
            double estimate = 10e6 - 6e6 * Math.max(0, Math.min(1, (atS - 6) / 4));
            samples.add(new Sample(atS, estimate));
        }

        Convergence found = Convergence.of("kernel", samples, 6, 10e6, 4e6);

        assertThat(found.before()).isCloseTo(10e6, within(1.0));
        assertThat(found.after()).isCloseTo(4e6, within(1.0));
        assertThat(found.convergenceS()).as("4.2 Mb/s at 5.8 of 6 Mb/s").isCloseTo(3.9, within(1e-9));
        assertThat(found.errorAfter()).isCloseTo(0, within(1e-9));
    }

    /**
     * A flow of 6 Mb/s begins at 6 s on a link of 10 Mb/s: 750 packets/s, each 1,042 bytes with headers and 24 bytes of
     * framing. They leave 3.604 Mb/s.
     */
    @Test
    void findsTimeUntilCountersShowFlow() {
        Bottleneck link = new Bottleneck("eth0", false, 10_000_000, 24, "", "", "");
        CounterHistory history = new CounterHistory(link, BandwidthMonitor.PERIOD_NS, 0);
        List<Sample> samples = new ArrayList<>();
        for (long atMs = 0; atMs <= 30_000; atMs += 250) {
            long packets = Math.max(0, atMs - 6_000) * 750 / 1_000;
            history.add(
                    TimeUnit.MILLISECONDS.toNanos(atMs), new CounterReading(packets * 1_042, packets, Long.SIZE), 0);
            if (atMs > 0) {
                samples.add(new Sample(atMs / 1e3, history.availableBitsPerS()));
            }
        }

        Convergence found = Convergence.of("kernel", samples, 6, 10e6, 3.604e6);

        assertThat(found.before()).isCloseTo(10e6, within(1.0));
        assertThat(found.after()).isCloseTo(3.604e6, within(1.0));
        assertThat(found.convergenceS()).isCloseTo(4, within(1e-9));
    }

    @Test
    void reportsEstimateThatDoesNotConverge() {
        List<Sample> samples = List.of(new Sample(1, 10e6), new Sample(7, 4e6), new Sample(8, 5e6));

        Convergence found = Convergence.of("kernel", samples, 6, 10e6, 4e6);

        assertThat(found.convergenceS()).isNaN();
        assertThat(found.errorAfter()).isCloseTo(.25, within(1e-9));
    }
}
