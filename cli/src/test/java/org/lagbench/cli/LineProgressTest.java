package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.timeseries.ReceivedInterval;
import org.lagbench.report.table.RunRows;

class LineProgressTest {
    private final RunSpec run = new RunSpec(
            "run-1",
            new Point(
                    "udp",
                    992,
                    10_000,
                    0,
                    Pace.flood(),
                    TrafficSpec.ONE_WAY,
                    Settings.of(List.of(), Map.of()),
                    new EngineSpec("java", JvmOptions.NONE),
                    Set.of(),
                    RunConditions.of(Duration.ZERO, Duration.ofSeconds(30))),
            1,
            null);
    private final StringWriter out = new StringWriter();
    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 5); // overflows during the test

    @ParameterizedTest
    @CsvSource({"false, 2", "true, 25"})
    void printsLongRunEveryTenSecondsOrEverySecond(boolean everySecond, int lines) {
        RunRows text = new RunRows(List.of());
        try (LineProgress progress = new LineProgress(new PrintWriter(out), 1, nowNs::get, text, everySecond)) {
            progress.started(new RunSpec.RunGroup(run.name(), List.of(run)));
            for (int second = 1; second <= 25; second++) {
                nowNs.addAndGet(TimeUnit.SECONDS.toNanos(1));
                progress.interval(run, second(second));
            }
        }
        assertThat(out.toString().lines())
                .hasSize(lines)
                .anyMatch(line -> line.startsWith(run.name() + "  10.0 s  lag 14.2 µs, Q99 51.3 µs  lost 0"))
                .anyMatch(line -> line.startsWith(run.name() + "  20.0 s  "));
    }

    @Test
    void showsNoMetricsOfOnlyRun() {
        RunRows text = new RunRows(List.of());
        try (LineProgress ofOne = new LineProgress(new PrintWriter(out), 1, nowNs::get, text, false);
                LineProgress ofTwo = new LineProgress(new PrintWriter(out), 2, nowNs::get, text, false)) {
            assertThat(ofOne.shownMetrics()).isNull();
            assertThat(ofTwo.shownMetrics()).isEqualTo(RunRows.OPTIONS);
        }
    }

    private static LiveInterval second(int number) {
        ReceivedInterval received = new ReceivedInterval(1_000_000_000, 100, 100, 0, 0, false, List.of());
        return new LiveInterval(
                992, number - 1, number, 100, 100, 100L * number, received, 100, false, 100, 14_200, 51_300);
    }
}
