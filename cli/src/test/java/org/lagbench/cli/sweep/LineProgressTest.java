package org.lagbench.cli.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.RunGroup;

class LineProgressTest {
    private final StringWriter out = new StringWriter();
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5); // overflows

    @Test
    void printsLongRunEveryTenSeconds() {
        try (LineProgress progress = new LineProgress(new PrintWriter(out), 1, nowNs::get)) {
            progress.started(RunGroup.of(RemainingTimeTest.flood(1)));
            for (int second = 1; second <= 25; second++) {
                nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
                progress.sent(SentPackets.parse("sent " + second * 100 + "/5000 100/s")
                        .orElseThrow());
            }
        }
        assertThat(out.toString().lines())
                .hasSize(2)
                .anyMatch(line -> line.endsWith("  1000 of 5000 packets sent, 100 packets/s"))
                .anyMatch(line -> line.endsWith("  2000 of 5000 packets sent, 100 packets/s"));
    }

    @Test
    void ignoresOtherSenderLines() {
        assertThat(SentPackets.parse("waiting for the clocks")).isEmpty();
        assertThat(SentPackets.parse("sent 1/2 3/s and more")).isEmpty();
    }
}
