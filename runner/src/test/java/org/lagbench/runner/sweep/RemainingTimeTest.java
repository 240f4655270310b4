package org.lagbench.runner.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;

class RemainingTimeTest {
    private static final long SECOND_NS = 1_000_000_000L;

    private long nowNs;

    @Test
    void estimatesFromIntervalsAtFirst() {
        RemainingTime timeLeft = remainingTime(paced(10_000, 1), paced(20_000, 1));

        // 10 s and 20 s of packets with an interval of 1 ms, and 3 s for the processes of each run
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofSeconds(36));
    }

    @Test
    void countsDownDuringRun() {
        RemainingTime timeLeft = remainingTime(paced(10_000, 1), paced(20_000, 1));
        timeLeft.begins();
        nowNs += 5 * SECOND_NS;
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofSeconds(31));
        nowNs += 60 * SECOND_NS;
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofSeconds(23));
    }

    @Test
    void estimatesRepeatFromFirstRun() {
        RemainingTime timeLeft = remainingTime(flood(1), flood(2));
        timeLeft.begins();
        nowNs += 7 * SECOND_NS;
        timeLeft.ended();
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void addsMeanOverheadToPacketTimeOfNextPoint() {
        RemainingTime timeLeft = remainingTime(paced(10_000, 1), paced(20_000, 1));
        timeLeft.begins();
        nowNs += 11 * SECOND_NS;
        timeLeft.ended();
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofSeconds(21));
    }

    @Test
    void addsWindowsUntilRunHasNone() {
        RemainingTime timeLeft = remainingTime(automatic(10_000, 1), automatic(20_000, 1));

        // 15 and 33 windows of 0.3 s
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofMillis(36_000 + 4_500 + 9_900));
        timeLeft.begins();
        nowNs += 11 * SECOND_NS;
        timeLeft.ended();
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofSeconds(21));
    }

    @Test
    void ignoresDurationOfFailedRun() {
        RemainingTime timeLeft = remainingTime(flood(1), flood(2));
        timeLeft.begins();
        nowNs += 60 * SECOND_NS;
        timeLeft.skipped();
        assertThat(timeLeft.remaining()).isEqualTo(Duration.ofSeconds(3));
    }

    private RemainingTime remainingTime(RunSpec... runs) {
        RemainingTime time = new RemainingTime(() -> nowNs);
        time.add(Stream.of(runs)
                .map(run -> new RunSpec.RunGroup(run.name(), List.of(run)))
                .toList());
        return time;
    }

    private static RunSpec paced(long packets, int repeat) {
        return run(packets, new Pace(Pace.Mode.SLEEP, 1_000_000), repeat);
    }

    private static RunSpec automatic(long packets, int repeat) {
        RunSpec run = paced(packets, repeat);
        Point point = run.point();
        return run.with(point.with(point.settings(), point.program(), Set.of(ObservedSource.AUTO)));
    }

    private static RunSpec flood(int repeat) {
        return run(10_000, Pace.flood(), repeat);
    }

    private static RunSpec run(long packets, Pace pace, int repeat) {
        return new RunSpec(
                "run-" + repeat,
                new Point(
                        "udp",
                        992,
                        packets,
                        0,
                        pace,
                        TrafficSpec.ONE_WAY,
                        Settings.of(List.of(), Map.of()),
                        new EngineSpec("java", JvmOptions.NONE),
                        Set.of(),
                        RunConditions.of(Duration.ofMillis(500), Duration.ofSeconds(30))),
                repeat,
                null);
    }
}
