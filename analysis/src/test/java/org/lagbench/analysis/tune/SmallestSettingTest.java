package org.lagbench.analysis.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.RepeatEstimate.RunValue;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.model.Limit;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;

class SmallestSettingTest {
    private static final long MS = 1_000_000;
    private static final int PACKETS = 4_000;
    private static final Knob LATENCY = new Knob("latency", 20 * MS, 2_000 * MS, List.of(), true);
    private static final TuneCriteria LOSS =
            new TuneCriteria(List.of(Constraint.ofLoss("a loss of at most 1 %", Limit.parse("loss <= 1 %"))), 0.1);

    private int runs;

    /** Searches on a path; the loss of a latency in ms is drawn from a binomial distribution. */
    private TuneResult search(ToDoubleFunction<Long> lossOfMs, long seed) {
        Random random = new Random(seed);
        SmallestSetting search = new SmallestSetting(LATENCY, LOSS);
        for (Optional<TuneCandidate> next = search.next(); next.isPresent(); next = search.next()) {
            long ms = ms(next.get());
            double share = lossOfMs.applyAsDouble(ms);
            long lost = random.doubles(PACKETS).filter(drawn -> drawn < share).count();
            search.accept(new Trial(ms * MS, PACKETS, lost, 1e6));
            runs++;
        }
        return search.result();
    }

    private static long ms(TuneCandidate candidate) {
        return Durations.parseNs(Objects.requireNonNull(candidate.knobs().get("latency"))) / MS;
    }

    /** A loss is repaired once for each round trip of latency, and lost again with the path's 10 %. */
    private static ToDoubleFunction<Long> path(int roundTripMs) {
        return ms -> Math.pow(0.1, 1 + Math.floor((double) ms / roundTripMs));
    }

    @Test
    void findsSmallestLatencyOfTwentyPaths() {
        for (int path = 0; path < 20; path++) {
            int roundTripMs = 15 + 30 * path;
            runs = 0;
            TuneResult result = search(path(roundTripMs), path);

            double needed = 2.0 * roundTripMs; // with less, 1 % are lost, which is not proven to be at most 1 %
            assertThat((double) ms(Objects.requireNonNull(result.recommended())))
                    .as("round trip of %d ms", roundTripMs)
                    .isBetween(Math.max(20.0, needed), Math.max(20.0, needed) * 1.15 + 1);
            assertThat(runs).isLessThan(8 * 16);
        }
    }

    @Test
    void decidesInFewRunsWhereLossesAreFarFromTheLimit() {
        TuneResult result = search(ms -> ms < 300 ? 0.3 : 0, 3);

        assertThat(result.decided()).isTrue();
        assertThat(ms(Objects.requireNonNull(result.recommended()))).isBetween(300L, 345L);
        // an exhaustive search with one run for each of the 33 values would have more, and prove nothing
        assertThat(runs).isLessThan(33);
        assertThat(result.rows())
                .extracting(TuneResult.CandidateResult::verdict)
                .containsOnlyOnce(TuneResult.CandidateVerdict.TIED);
    }

    @Test
    void recommendsNothingIfTheGreatestValueBreaksTheConstraint() {
        TuneResult result = search(ms -> 0.2, 4);

        assertThat(result.recommended()).isNull();
        assertThat(result.exitCode()).isEqualTo(ExitCode.MISSED);
        assertThat(result.decided()).isFalse();
        assertThat(ms(Objects.requireNonNull(result.closest()))).isEqualTo(2_000);
    }

    @Test
    void doesNotDecideAboutALossAtTheLimit() {
        TuneResult result = search(ms -> ms < 300 ? 0.01 : 0, 5);

        assertThat(result.decided()).isFalse();
        assertThat(ms(Objects.requireNonNull(result.recommended()))).isBetween(300L, 345L);
    }

    /** A path that loses 3 % in bursts of 8 packets on average, whatever the setting: Gilbert's model. */
    private static long bursts(long packets, Random random) {
        long lost = 0;
        boolean isBurst = random.nextDouble() < 0.03;
        for (long packet = 0; packet < packets; packet++) {
            lost += isBurst ? 1 : 0;
            isBurst = isBurst ? random.nextDouble() >= 1 / 8.0 : random.nextDouble() < 0.03 / (8 * 0.97);
        }
        return lost;
    }

    /** A run of so few packets often has no burst. */
    @ParameterizedTest
    @CsvSource({
        "recovery.loss.share <= 1 %, 400", "recovery.loss.share <= 1 %, 20",
        "loss <= 0 %, 400", "loss <= 0 %, 20",
        "loss <= 2 %, 400", "loss <= 2 %, 20"
    })
    void doesNotRecommendAPathThatLosesInBursts(String limit, long packets) throws Exception {
        Limit bound = Limit.parse(limit);
        Metric<?> metric = MetricRegistry.named(bound.name());
        TuneCriteria criteria = new TuneCriteria(List.of(Constraint.of(bound, metric)), 0.1);
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            SmallestSetting search = new SmallestSetting(LATENCY, criteria);
            for (Optional<TuneCandidate> next = search.next(); next.isPresent(); next = search.next()) {
                long lost = bursts(packets, random);
                RunValue loss = new RunValue(1, 100.0 * lost / packets, packets);
                search.accept(new Trial(ms(next.get()) * MS, packets, lost, 1e6, Map.of(metric, loss), List.of()));
            }
            assertThat(search.result().recommended())
                    .as("%s, seed %d", limit, seed)
                    .isNull();
        }
    }

    /** Values near the limit get a few runs each, and the one below the best the rest, when the best is known. */
    @Test
    void leavesValuesNearTheLimitForTheNext() {
        Random random = new Random(1);
        SmallestSetting search = new SmallestSetting(LATENCY, LOSS);
        long last = 0;
        for (Optional<TuneCandidate> next = search.next(); next.isPresent(); next = search.next()) {
            last = ms(next.get());
            double share = last < 100 ? 0.2 : last < 300 ? 0.01 : 0;
            search.accept(new Trial(
                    last * MS,
                    PACKETS,
                    random.doubles(PACKETS).filter(one -> one < share).count(),
                    1e6));
        }
        TuneResult result = search.result();

        assertThat(ms(Objects.requireNonNull(result.recommended()))).isBetween(300L, 345L);
        assertThat(result.decided()).isFalse();
        assertThat(last).as("run again at the end").isBetween(260L, 299L);
        List<TuneResult.CandidateResult> rows = result.rows();
        assertThat(rows)
                .filteredOn(row -> row.verdict() == TuneResult.CandidateVerdict.UNDECIDED)
                .extracting(TuneResult.CandidateResult::runs)
                .hasSizeGreaterThan(1)
                .endsWith(18)
                .startsWith(8);
        assertThat(rows)
                .filteredOn(row -> row.candidate().number(LATENCY) > 345 * MS)
                .isNotEmpty()
                .allMatch(row -> row.verdict() == TuneResult.CandidateVerdict.LARGER);
    }

    private static Trial spoiled(long ms) {
        RunMark load = new RunMark("0001 (95 %)", "Other programs ran.", true);
        return new Trial(ms * MS, PACKETS, PACKETS / 2, 1e6, Map.of(), List.of(load));
    }

    /** The machine is busy in every second run, in which half of the packets are lost whatever the latency. */
    @Test
    void repeatsRunsThatTheMachineSpoiled() {
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            SmallestSetting search = new SmallestSetting(LATENCY, LOSS);
            int spoiled = 0;
            for (Optional<TuneCandidate> next = search.next(); next.isPresent(); next = search.next()) {
                long ms = ms(next.get());
                while (random.nextBoolean()) {
                    search.accept(spoiled(ms));
                    spoiled++;
                    assertThat(search.next()).isEqualTo(next);
                }
                search.accept(new Trial(ms * MS, PACKETS, ms < 300 ? PACKETS / 2 : 0, 1e6));
            }
            TuneResult result = search.result();

            assertThat(result.decided()).isTrue();
            assertThat(ms(Objects.requireNonNull(result.recommended()))).isBetween(300L, 345L);
            assertThat(result.spoiledRuns()).isEqualTo(spoiled).isPositive();
            assertThat(result.spoiledBy()).hasSize(spoiled);
        }
    }

    @Test
    void isUndecidedIfTheMachineSpoilsAllRuns() {
        SmallestSetting search = new SmallestSetting(LATENCY, LOSS);
        for (int run = 0; run < 50; run++) {
            search.accept(spoiled(ms(search.next().orElseThrow())));
        }
        search.budget(50, 0);
        TuneResult result = search.result();

        assertThat(search.next()).isEmpty();
        assertThat(result.recommended()).isNull();
        assertThat(result.exitCode()).isEqualTo(ExitCode.UNDECIDED);
        assertThat(result.closest()).isNull();
        assertThat(result.rows()).singleElement().satisfies(row -> assertThat(row.verdictText())
                .isEqualTo("undecided (load)"));
    }

    /** The number is that which the search needs, at the level of its first test. */
    @Test
    void needsThePacketsThatItNames() {
        Constraint limit = LOSS.constraints().get(0);
        TuneResult result = search(ms -> 0, 1);
        long packets = limit.packetsNeeded(result.tail());

        assertThat(packets).isEqualTo((long) Math.ceil(10 * Math.log(result.tail()) / Math.log(0.99)));
        for (int runs = 1; runs <= 8; runs++) {
            long each = (packets + runs - 1) / runs;
            assertThat(LOSS.isKept(Collections.nCopies(runs, new Trial(1, each, 0, 1e6)), result.tail()))
                    .isEqualTo(runs >= 6);
            assertThat(LOSS.isKept(Collections.nCopies(runs, new Trial(1, each - 2, 0, 1e6)), result.tail()))
                    .isFalse();
        }
    }
}
