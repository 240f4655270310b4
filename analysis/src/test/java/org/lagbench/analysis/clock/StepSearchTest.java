package org.lagbench.analysis.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.clock.StampStep.NoticedStep;
import org.lagbench.core.clock.ClockHistory.ClockStep;

/** Compares the steps that the stamps show with injected ones. */
@Tag("one-java")
class StepSearchTest {
    private static final double MS = 1e6;

    private final Path directory;

    StepSearchTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @ParameterizedTest
    @CsvSource({
        "2e6, 2e3, false",
        "-200e3, 2e3, false",
        "2e6, 50e3, true",
        "-200e3, 20e3, true",
        "1e6, 2e3, true",
        "-300e6, 5e3, true",
        "-300e6, 5e3, false",
        "100e3, 2e3, false",
        "5e9, 5e3, false"
    })
    void findsSizeAndTime(double stepNs, double queueNs, boolean bySender) throws Exception {
        for (int seed = 0; seed < 6; seed++) {
            double atNs = (0.4 + 7 * new Random(seed).nextDouble()) * 1e9;
            SimulatedRun run = new SimulatedRun(seed, 8).wander(1).step(atNs, stepNs, bySender);
            run.clocks.queueNs = queueNs;
            List<StampStep> steps = run.findSteps(directory);
            assertThat(steps).as("seed %d", seed).hasSize(1);
            StampStep step = steps.get(0);
            assertThat((double) step.sizeNs())
                    .as("seed %d", seed)
                    .isCloseTo(stepNs, within(2_000 + queueNs + 100e-6 * Math.abs(stepNs)));
            assertThat(stepNs).as("seed %d, %s", seed, step).isBetween((double) step.leastNs(), (double)
                    step.greatestNs());
            assertThat((double) step.greatestNs() - step.leastNs())
                    .isLessThan(10_000 + 4 * queueNs + 200e-6 * Math.abs(stepNs));
            assertThat(step.afterNs() - SimulatedClocks.EPOCH_NS)
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo((long) atNs);
            double shownNs = atNs - (bySender ? stepNs : 0);
            assertThat(step.beforeNs() - SimulatedClocks.EPOCH_NS)
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo((long) shownNs);
            assertThat(step.beforeNs() - SimulatedClocks.EPOCH_NS - shownNs).isLessThan(20 * MS);
            assertThat(atNs - (step.afterNs() - SimulatedClocks.EPOCH_NS)).isLessThan(20 * MS);
        }
    }

    /** Loads last for many windows, and the rate wanders within those that are compared. */
    @Test
    void intervalOfSizeContainsStepUnderLoadAndWanderingRate() throws Exception {
        List<StampStep> outside = new ArrayList<>();
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            SimulatedRun run = new SimulatedRun(seed, 8).wander(20).load(10, 20e3 * Math.pow(100, random.nextDouble()));
            run.clocks.queueNs = 1e3 * Math.pow(300, random.nextDouble());
            run.step((1 + 6 * random.nextDouble()) * 1e9, -2e6, random.nextBoolean());
            for (StampStep step : run.findSteps(directory)) {
                if (step.sizeNs() != null && (step.leastNs() > -2e6 || step.greatestNs() < -2e6)) {
                    outside.add(step);
                }
            }
        }
        assertThat(outside).as("outside, of 60").hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void timeRangeContainsStepWhilePacketIsInHost() throws Exception {
        for (int seed = 0; seed < 10; seed++) {
            double atNs = 4e9 + 100e3 * seed;
            SimulatedRun run = new SimulatedRun(seed, 8).wander(1).step(atNs, -200e3, false);
            run.hostsNs = 500e3;
            List<StampStep> steps = run.findSteps(directory);
            assertThat(steps).as("seed %d", seed).hasSize(1);
            assertThat((long) atNs)
                    .as("seed %d", seed)
                    .isBetween(
                            steps.get(0).afterNs() - SimulatedClocks.EPOCH_NS,
                            steps.get(0).beforeNs() - SimulatedClocks.EPOCH_NS);
        }
    }

    @Test
    void findsNoStepInJitterLoadAndOtherPaths() throws Exception {
        List<String> found = new ArrayList<>();
        int seeds = Integer.getInteger("lagbench.seeds", Boolean.getBoolean("lagbench.thorough") ? 100 : 25);
        for (int seed = 0; seed < seeds; seed++) {
            List<StampStep> steps = stepless(seed).findSteps(directory);
            if (steps.stream().anyMatch(step -> step.sizeNs() != null)) { // without a size: the rate wandered
                found.add(seed + ": " + steps);
            }
        }
        assertThat(found).isEmpty();
    }

    /** Returns a run with any of: queues of 1 µs to 0.5 ms, loads of up to 5 ms, another path, a rate that wanders. */
    static SimulatedRun stepless(int seed) {
        Random random = new Random(-seed);
        SimulatedRun run = new SimulatedRun(seed, 1 + random.nextInt(12));
        run.clocks.queueNs = 1e3 * Math.pow(500, random.nextDouble());
        if (random.nextBoolean()) {
            run.load(random.nextInt(20), 20e3 * Math.pow(250, random.nextDouble()));
        }
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            run.changePath((random.nextBoolean() ? 1 : -0.2) * 20e3 * Math.pow(250, random.nextDouble()));
        }
        return random.nextBoolean() ? run.wander(random.nextBoolean() ? 1 : 20) : run;
    }

    @Test
    void findsSeveralSteps() throws Exception {
        SimulatedRun run = new SimulatedRun(1, 12).step(3e9, 400e3, false).step(8.5e9, -250e3, false);
        List<StampStep> steps = run.findSteps(directory);
        assertThat(steps).hasSize(2);
        assertThat((double) steps.get(0).sizeNs()).isCloseTo(400e3, within(5e3));
        assertThat((double) steps.get(1).sizeNs()).isCloseTo(-250e3, within(5e3));
        assertThat(steps.get(1).beforeNs() - SimulatedClocks.EPOCH_NS - 8.5e9).isBetween(0.0, 20 * MS);
    }

    /** After the sender's clock is set back by less than the time between exchanges, its readings do not decrease. */
    @Test
    void findsStepsNearAClockSetBack() throws Exception {
        SimulatedRun run = new SimulatedRun(20, 10).wander(1);
        run.exchangesEachSecond = 20;
        run.step(5.093e9, 17.1e6, true).step(6.093e9, -274e3, false);
        List<StampStep> steps = run.findSteps(directory);
        assertThat(steps).hasSize(2);
        assertThat((double) steps.get(0).sizeNs()).isCloseTo(17.1e6, within(10e3));
        assertThat((double) steps.get(1).sizeNs()).isCloseTo(-274e3, within(5e3));
    }

    @Test
    void matchesAStepThatAHostNoticed() {
        StampStep step = new StampStep(1_000_000_000, 1_002_000_000, 1_000_000L, 990_000L, 1_010_000L);
        assertThat(step.is(noticed(1_000_500, false, 1_001_000_000))).isTrue();
        assertThat(step.is(noticed(-1_000_500, true, 1_001_000_000))).isTrue();
        assertThat(step.is(noticed(1_000_500, true, 1_001_000_000))).isFalse();
        assertThat(step.is(noticed(500_000, false, 1_001_000_000))).isFalse();
        assertThat(step.is(noticed(1_000_000, false, 1_900_000_000))).isFalse();
    }

    private static NoticedStep noticed(long sizeNs, boolean bySender, long atNs) {
        return new NoticedStep(new ClockStep(atNs, sizeNs), bySender, atNs);
    }

    @Test
    void describesTimeAndSize() {
        StampStep step = new StampStep(3_960_000_000L, 3_961_200_000L, -200_100L, -203_000L, -198_000L);
        assertThat(step.sentence(0, null))
                .isEqualTo("By the stamps the receiver's clock gained -200.1 µs (-203.0 µs to -198.0 µs) on the"
                        + " sender's between 3.960 s and 3.962 s after the first packet: one of them was set. Lags"
                        + " before and after it are not comparable.");
        assertThat(step.sentence(0, "sender")).contains("packet: the sender's clock was set. Lags");
        assertThat(new StampStep(0, 9_000_000_000L, null, null, null).sentence(0, null))
                .isEqualTo("By the two-way stamps the clocks did not run steadily between 0.000 s and 9.000 s after"
                        + " the first packet: one of them was set, or its rate changed.");
    }
}
