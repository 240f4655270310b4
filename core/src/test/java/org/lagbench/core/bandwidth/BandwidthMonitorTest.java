package org.lagbench.core.bandwidth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BandwidthMonitorTest {
    private static final Bottleneck LINK = new Bottleneck("eth0", false, 1_000_000, 24, "", "", "");

    /** Reads the counters. */
    private interface Reading {
        CounterSource.CounterReading read() throws IOException;
    }

    private static CounterSource source(Reading reading, AtomicBoolean isClosed) {
        return new CounterSource() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public Counters open(Bottleneck bottleneck) {
                return new Counters() {
                    @Override
                    public CounterSource.CounterReading read() throws IOException {
                        return reading.read();
                    }

                    @Override
                    public long staleNs() {
                        return 1;
                    }

                    @Override
                    public void close() {
                        isClosed.set(true);
                    }
                };
            }
        };
    }

    @Test
    void continuesAfterFailedReading() throws Exception {
        AtomicInteger readings = new AtomicInteger();
        Reading reading = () -> {
            int number = readings.incrementAndGet();
            if (number == 2) {
                throw new IOException("no reply");
            }
            return new CounterSource.CounterReading(number, 0, Long.SIZE);
        };
        try (BandwidthMonitor monitor = new BandwidthMonitor(source(reading, new AtomicBoolean()), LINK)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> monitor.availableBitsPerS() >= 0);
            assertThat(monitor.failure()).isNull();
        }
    }

    @Test
    void reportsAnyFailureOfCounters() throws Exception {
        List<Reading> failing = List.of(
                () -> {
                    throw new IOException("no reply");
                },
                () -> {
                    throw new IllegalStateException("no reply");
                });
        for (Reading reading : failing) {
            AtomicBoolean isClosed = new AtomicBoolean();
            try (BandwidthMonitor monitor = new BandwidthMonitor(source(reading, isClosed), LINK)) {
                await().atMost(Duration.ofSeconds(60)).until(() -> monitor.failure() != null);
                assertThat(monitor.failure()).hasMessageContaining("no reply");
                assertThat(monitor.availableBitsPerS()).isEqualTo(CounterHistory.UNKNOWN);
            }
            assertThat(isClosed).isTrue();
        }
    }
}
