package org.lagbench.analysis.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.clock.StampStep.NoticedStep;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.clock.ClockHistory.ClockStep;

/** Compares the corrected lags of runs with several steps of the clocks with the lags simulated. */
@Tag("one-java")
class SteadyPartTest {
    private static final int SECONDS = 12;
    private static final double[] SKEWS_PPM = {50, -50, 100, -100, 220, -220, 450, -450};

    private final Path directory;
    private final List<SimulatedClocks.Step> steps = new ArrayList<>();
    private final List<NoticedStep> noticed = new ArrayList<>();

    SteadyPartTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Of 50 runs each has one to five steps of 50 µs to 20 ms, half of them noticed by the hosts. */
    @Test
    void correctsEachLagBetweenUpToFiveSteps() throws Exception {
        for (int seed = 0; seed < Integer.getInteger("lagbench.seeds", 25); seed++) {
            SimulatedRun run = new SimulatedRun(seed, SECONDS).wander(1);
            run.clocks.skew = SKEWS_PPM[seed % SKEWS_PPM.length] / 1e6;
            run.hostsNs = seed % 3 == 0 ? 63e6 : 10e3;
            run.exchangesEachSecond = 20;
            step(run, new Random(seed), 1 + seed % 5);
            assertCorrected(run, "seed " + seed, 100 + 70 * steps.size());
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {50, -50, 150, -150, 300, -300, 450, -450})
    void correctsEachLagAtAnyRate(double ppm) throws Exception {
        SimulatedRun run = new SimulatedRun(Math.round(ppm), 27);
        run.clocks.skew = ppm / 1e6;
        run.hostsNs = 63_742_100;
        run.exchangesEachSecond = 20;
        assertCorrected(run, ppm + " ppm", 0);
    }

    /** A host notices a step that is too small to be found in the packets. */
    @Test
    void correctsEachLagAfterASmallStepThatAHostNoticed() throws Exception {
        for (boolean bySender : new boolean[] {true, false}) {
            SimulatedRun run = new SimulatedRun(7, SECONDS);
            run.exchangesEachSecond = 20;
            steps.clear();
            noticed.clear();
            add(run, 4.002e9, bySender ? 8e3 : -8e3, bySender, 2e6);
            assertCorrected(run, bySender ? "sender" : "receiver", 500);
        }
    }

    private void step(SimulatedRun run, Random random, int count) {
        steps.clear();
        noticed.clear();
        double atNs = 0.5e9;
        for (int i = 0; i < count; i++) {
            atNs += (0.6 + 1.2 * random.nextDouble()) * 1e9;
            double sizeNs = (random.nextBoolean() ? 1 : -1) * 50e3 * Math.pow(400, random.nextDouble());
            add(run, atNs, sizeNs, random.nextBoolean(), random.nextBoolean() ? 3e6 * random.nextDouble() : -1);
        }
    }

    /** Adds a step; a host notices it after a time, or not at all if that is negative. */
    private void add(SimulatedRun run, double atNs, double sizeNs, boolean bySender, double noticeNs) {
        run.step(atNs, sizeNs, bySender);
        steps.add(new SimulatedClocks.Step(atNs, sizeNs, bySender));
        if (noticeNs >= 0) {
            SimulatedClocks clocks = run.clocks;
            double whenNs = atNs + noticeNs;
            ClockStep step = new ClockStep(
                    bySender ? clocks.sender(whenNs) : clocks.receiver(whenNs),
                    Math.round(bySender ? -sizeNs : sizeNs));
            noticed.add(new NoticedStep(step, bySender, clocks.sender(whenNs)));
        }
    }

    private void assertCorrected(SimulatedRun simulated, String name, int maxUncorrected) throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve(name));
        TwoWayStamps stamps = simulated.write(session.run("0001-udp-24-r1", "udp", 24));
        try (JoinedRun run = JoinedRun.open(session.path().resolve("runs/0001-udp-24-r1"))) {
            List<StampStep> found = StepSearch.find(run, stamps, noticed);
            assertThat(found).as(name).hasSameSizeAs(steps);
            for (int i = 0; i < found.size(); i++) {
                assertFound(found.get(i), steps.get(i), simulated.clocks, name);
            }
            assertThat(noticed).as(name).allMatch(one -> found.stream().anyMatch(step -> step.is(one)));
            List<SteadyPart> parts = SteadyPart.of(run, stamps, found);
            for (Estimator estimator : List.of(Estimator.TWO_WAY, Estimator.HULL)) {
                List<OffsetEstimate> estimates = estimator.estimate(run, null, parts, !steps.isEmpty());
                long[] corrected = {0};
                for (int i = 0; i < parts.size(); i++) {
                    OffsetEstimate estimate = estimates.get(i);
                    assertThat(estimate.uncertaintyNs()).as(name).isBetween(20_000L, 120_000L);
                    parts.get(i).forEach(run, (arrival, packet) -> {
                        corrected[0]++;
                        long lagNs = estimate.line().senderNs(run.receivedNs(arrival)) - run.sentNs(packet);
                        double errorNs = Math.abs(lagNs - simulated.trueLagsNs[(int) packet]);
                        if (errorNs > estimate.uncertaintyNs()) {
                            assertThat(errorNs)
                                    .as("%s, %s, packet %d", name, estimator, packet)
                                    .isLessThanOrEqualTo(estimate.uncertaintyNs());
                        }
                    });
                }
                assertThat(corrected[0]).as(name).isBetween(run.sent() - maxUncorrected, run.sent());
            }
        }
    }

    private static void assertFound(StampStep found, SimulatedClocks.Step step, SimulatedClocks clocks, String name) {
        assertThat(found.sizeNs()).as(name).isNotNull();
        assertThat(step.sizeNs()).as(name).isBetween((double) found.leastNs(), (double) found.greatestNs());
        assertThat(clocks.sender(step.atNs() - 1)).as(name).isGreaterThanOrEqualTo(found.afterNs());
        assertThat(clocks.sender(step.atNs())).as(name).isLessThanOrEqualTo(found.beforeNs());
    }
}
