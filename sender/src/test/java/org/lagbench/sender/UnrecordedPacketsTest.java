package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;

class UnrecordedPacketsTest {
    @Test
    void warmsUpFloodAsFlood() {
        assertThat(UnrecordedPackets.of(spec(Pace.flood(), 20_000), 0))
                .isEqualTo(new UnrecordedPackets(20_000, 1_000, Pace.flood()));
    }

    @Test
    void limitsLeadInToOneSecond() {
        Pace tenMilliseconds = new Pace(Pace.Mode.SLEEP, 10_000_000);

        assertThat(UnrecordedPackets.of(spec(tenMilliseconds, 20_000), 0))
                .isEqualTo(new UnrecordedPackets(20_000, 100, new Pace(Pace.Mode.SLEEP, 50_000)));
    }

    @Test
    void respectsMinimumIntervalOfMedium() {
        Pace oneMillisecond = new Pace(Pace.Mode.HYBRID, 1_000_000);

        assertThat(UnrecordedPackets.of(spec(oneMillisecond, 20_000), 125_000).warmUpPace())
                .isEqualTo(new Pace(Pace.Mode.HYBRID, 125_000));
    }

    @Test
    void sleepsInWarmUpOfHybridPace() {
        Pace oneMillisecond = new Pace(Pace.Mode.HYBRID, 1_000_000);

        assertThat(UnrecordedPackets.of(spec(oneMillisecond, 20_000), 0).warmUpPace())
                .isEqualTo(new Pace(Pace.Mode.HYBRID, 100_000));
    }

    @Test
    void warmsUpFastRunAtItsOwnPace() {
        Pace tenMicroseconds = new Pace(Pace.Mode.SPIN, 10_000);

        assertThat(UnrecordedPackets.of(spec(tenMicroseconds, 20_000), 0))
                .isEqualTo(new UnrecordedPackets(20_000, 1_000, tenMicroseconds));
    }

    @Test
    void warmsUpInWholeBursts() {
        Pace frames = new Pace(Pace.Mode.HYBRID, 16_666_667, 48);

        assertThat(UnrecordedPackets.of(spec(frames, 20_000), 0))
                .isEqualTo(new UnrecordedPackets(20_000, 20 * 48, new Pace(Pace.Mode.HYBRID, 4_800_000, 48)));
        assertThat(UnrecordedPackets.of(spec(frames, 100), 0).leadInPackets()).isEqualTo(96);
        assertThat(UnrecordedPackets.of(spec(frames, 47), 0).leadInPackets()).isZero();
        assertThat(UnrecordedPackets.of(spec(new Pace(Pace.Mode.SPIN, 1_000, 100_000), 200_000), 0))
                .isEqualTo(new UnrecordedPackets(200_000, 100_000, new Pace(Pace.Mode.SPIN, 100_000_000, 100_000)));
    }

    @Test
    void sendsAllOfShortWarmUpAtTheRunsPace() {
        Pace tenSeconds = new Pace(Pace.Mode.SLEEP, 10_000_000_000L);

        assertThat(UnrecordedPackets.of(spec(Pace.flood(), 10), 0).leadInPackets())
                .isEqualTo(10);
        assertThat(UnrecordedPackets.of(spec(tenSeconds, 10), 0).leadInPackets())
                .isEqualTo(1);
        assertThat(UnrecordedPackets.of(spec(tenSeconds, 0), 0).leadInPackets()).isZero();
    }

    @Test
    void dividesWarmUpIntoEqualRounds() {
        UnrecordedPackets warmUp = new UnrecordedPackets(9_002, 1_000, Pace.flood());

        assertThat(warmUp.rounds()).isEqualTo(4);
        assertThat(LongStream.rangeClosed(0, 4).map(round -> warmUp.first((int) round)))
                .containsExactly(-9_002L, -7_002L, -5_001L, -3_001L, -1_000L);
    }

    @Test
    void usesOneRoundForFewPackets() {
        UnrecordedPackets few = new UnrecordedPackets(600, 100, Pace.flood());

        assertThat(few.rounds()).isEqualTo(1);
        assertThat(few.first(0)).isEqualTo(-600);
        assertThat(few.first(1)).isEqualTo(-100);
        assertThat(new UnrecordedPackets(3, 3, Pace.flood()).rounds()).isZero();
        assertThat(new UnrecordedPackets(0, 0, Pace.flood()).rounds()).isZero();
    }

    private static RunSpec spec(Pace pace, long warmUpPackets) {
        return new RunSpec(
                "run",
                new Point(
                        "udp",
                        24,
                        1,
                        warmUpPackets,
                        pace,
                        TrafficSpec.ONE_WAY,
                        Settings.of(List.of(), Map.of()),
                        new EngineSpec("java", JvmOptions.NONE),
                        Set.of(),
                        RunConditions.of(Duration.ZERO, Duration.ofSeconds(30))),
                1,
                null);
    }
}
