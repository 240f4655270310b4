package org.lagbench.analysis.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Objective;

class TrialTest {
    @TempDir
    private Path session;

    /** The arrivals alone would give 100 times that rate. */
    @Test
    void countsNoGoodputAboveRateOfSender() throws Exception {
        Path run = new SessionFixture(session)
                .run("a-r1", "udp", 1000)
                .sent(0, 1_000_000, 2_000_000)
                .received(new long[] {0, 2_080_000}, new long[] {1, 2_090_000}, new long[] {2, 2_100_000})
                .write();
        Trial trial =
                Trial.of(run, new TuneCandidate(Map.of()), Objective.of(MetricRegistry.named("lag.median")), List.of());
        assertThat(trial.goodputBitsPerS()).isCloseTo(8e6, within(1.0));
    }
}
