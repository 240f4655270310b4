package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.RepeatEstimate.RunValue;
import org.lagbench.analysis.tune.Constraint;
import org.lagbench.analysis.tune.Trial;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneCriteria;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.model.Limit;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Objective;

/** Tunes simulated systems of known truth, with seeded noise. */
@Tag("one-java")
class TunerTest {
    private static final TuneCriteria FREE = new TuneCriteria(List.of(), 0.1);
    private static final TuneCriteria CONSTRAINED = new TuneCriteria(List.of(loss(0.001), goodput(90e6)), 0.1);
    private static final Knob SEND = Knob.range("send-buffer", 4096, 4 << 20);
    private static final Knob RECEIVE = Knob.range("receive-buffer", 4096, 4 << 20);
    private static final int MAX_RUNS = 2_000;

    /** The true median objective, loss and goodput of a candidate. */
    private record Truth(double objectiveNs, double loss, double goodputBitsPerS) {}

    @Test
    void findsTheSmallestSendBufferThatCarriesTheRate() {
        // the lag grows with the fill level of the send buffer; below 30 KiB the link idles
        Function<TuneCandidate, Truth> world = candidate -> {
            double send = candidate.isDefault() ? 212_992 : number(candidate, "send-buffer");
            return new Truth(1e6 + send * 80, 0, Math.min(94e6, 94e6 * send / 30_720));
        };
        for (int seed = 0; seed < 20; seed++) {
            TuneResult result = tune(world, CONSTRAINED, List.of(SEND, RECEIVE), 0.02, seed, MAX_RUNS);

            assertThat(result.decided()).isTrue();
            assertThat(number(result.recommended(), "send-buffer")).isBetween(29_000.0, 61_000.0);
            assertThat(number(result.recommended(), "receive-buffer")).isEqualTo(4096);
            assertThat(result.comparison().ratio().low()).isGreaterThan(1.5);
        }
    }

    @Test
    void decidesWronglyAtMostAtTheStatedRate() {
        // near-ties are hard: the candidates are 0 to 25 % above the best
        int wrong = 0;
        int tunes = 200;
        for (int seed = 0; seed < tunes; seed++) {
            int world = seed;
            Function<TuneCandidate, Truth> truth = candidate ->
                    new Truth(1e6 * (1 + new Random(31L * world + candidate.hashCode()).nextDouble() / 4), 0, 100e6);
            TuneResult result =
                    tune(truth, FREE, List.of(Knob.list("depth", List.of("1", "2", "3", "4", "5"))), 0.08, seed, 400);
            double best = result.rows().stream()
                    .mapToDouble(row -> truth.apply(row.candidate()).objectiveNs())
                    .min()
                    .orElseThrow();
            double found = truth.apply(result.recommended()).objectiveNs();
            wrong += result.decided() && found > best * 1.1 ? 1 : 0;
        }
        assertThat(wrong).isLessThanOrEqualTo((int) (tunes * Tuner.LEVEL));
    }

    @Test
    void intervalOfGainCoversTruth() {
        int missed = 0;
        int tunes = 200;
        for (int seed = 0; seed < tunes; seed++) {
            TuneResult result = tune(
                    candidate -> new Truth(
                            candidate.isDefault()
                                    ? 2e6
                                    : "1".equals(candidate.knobs().get("depth")) ? 1e6 : 1.5e6,
                            0,
                            1e6),
                    FREE,
                    List.of(Knob.list("depth", List.of("1", "2", "3"))),
                    0.2,
                    seed,
                    MAX_RUNS);
            Interval ratio = result.comparison().ratio();
            boolean right = "1".equals(result.recommended().knobs().get("depth"));
            missed += right && ratio.low() <= 2 && 2 <= ratio.high() ? 0 : 1;
        }
        assertThat(missed).isLessThanOrEqualTo((int) (tunes * 0.08)); // 5 %, and three standard deviations of 200 draws
    }

    @Test
    void reportsThatBuffersMakeNoDifference() {
        int proven = 0;
        for (int seed = 0; seed < 20; seed++) {
            TuneResult result = tune(candidate -> new Truth(1e6, 0, 1e6), FREE, List.of(RECEIVE), 0.03, seed, MAX_RUNS);

            assertThat(result.decided()).isTrue();
            assertThat(result.rows()).allMatch(row -> row.verdict() != CandidateVerdict.WORSE);
            assertThat(number(result.recommended(), "receive-buffer")).isEqualTo(4096);
            proven += text(result, "udp")
                            .startsWith("These settings make no difference: a difference of less than 10 % is proven.")
                    ? 1
                    : 0;
        }
        assertThat(proven).isGreaterThanOrEqualTo(17); // rounds that look dependent prove less
    }

    @Test
    void reportsThatBestIsAsGoodAsDefault() {
        TuneResult result = tune(
                candidate -> new Truth(
                        candidate.isDefault() || number(candidate, "receive-buffer") > 32_000 ? 1e6 : 2e6, 0, 1e6),
                FREE,
                List.of(RECEIVE),
                0.03,
                1,
                MAX_RUNS);

        assertThat(result.decided()).isTrue();
        assertThat(number(result.recommended(), "receive-buffer")).isBetween(32_000.0, 66_000.0);
        assertThat(text(result, "udp").replace("\n  ", " "))
                .startsWith(
                        "The best of these settings is as good as the system default, and no better: a difference of"
                                + " less than 10 % is proven.")
                .doesNotContain("make no difference");
    }

    @Test
    void reportsClosestIfNoneMeetsConstraints() {
        TuneResult result = tune(
                candidate ->
                        new Truth(1e6, 0, candidate.isDefault() ? 10e6 : 10e6 + number(candidate, "receive-buffer")),
                CONSTRAINED,
                List.of(RECEIVE),
                0.05,
                1,
                MAX_RUNS);

        assertThat(result.recommended()).isNull();
        assertThat(number(result.closest(), "receive-buffer")).isEqualTo(4 << 20);
        assertThat(result.rows()).allMatch(row -> row.verdict() == CandidateVerdict.INFEASIBLE);
    }

    @Test
    void resumesAfterEachRecordedTrial() {
        Function<TuneCandidate, Truth> world =
                candidate -> new Truth(candidate.isDefault() ? 2e6 : 1e6 + number(candidate, "send-buffer"), 0, 1e6);
        List<TuneCandidate> whole = new ArrayList<>();
        List<Trial> trials = new ArrayList<>();
        Tuner tuner = new Tuner(List.of(SEND, RECEIVE), FREE, true, 7);
        Random noise = new Random(1);
        while (tuner.next().isPresent()) {
            TuneCandidate candidate = tuner.next().orElseThrow();
            Trial trial = trial(world.apply(candidate), 0.1, noise);
            whole.add(candidate);
            trials.add(trial);
            tuner.accept(trial);
        }
        Tuner again = new Tuner(List.of(SEND, RECEIVE), FREE, true, 7);
        for (int i = 0; i < whole.size(); i++) {
            assertThat(again.next()).contains(whole.get(i));
            again.accept(trials.get(i));
        }
        assertThat(again.result()).isEqualTo(tuner.result());
    }

    @Test
    void isUndecidedWhenBudgetEnds() {
        TuneResult result = tune(candidate -> new Truth(1e6, 0, 1e6), FREE, List.of(SEND, RECEIVE), 0.5, 3, 60);

        assertThat(result.decided()).isFalse();
        assertThat(result.recommended()).isNotNull();
        assertThat(result.comparison().runs()).isEqualTo(60 / 3 / 2); // a third of the budget
        assertThat(result.comparison().verdict()).isNotEqualTo(Verdict.WORSE);
        assertThat(text(result, "udp").replaceAll("\\s+", " "))
                .contains("ot decided: the budget ended after 60 runs, or the runs vary too much.");
    }

    @Test
    void prefersSmallerTiedCandidateWhenBudgetEnds() {
        // below 40 kB the window is smaller than the path's capacity; above, all are equal, but too noisy to prove it
        Function<TuneCandidate, Truth> world = candidate -> {
            double bytes = candidate.isDefault() ? 131_072 : number(candidate, "receive-buffer");
            return new Truth(5e6 + Math.max(0, 40_000 - bytes) * 1e4, 0, 32e6 * Math.min(1, bytes / 40_000));
        };
        for (int seed = 0; seed < 20; seed++) {
            TuneResult result = tune(
                    world,
                    new TuneCriteria(List.of(goodput(30e6)), 0.1),
                    List.of(Knob.range("receive-buffer", 4096, 1 << 20)),
                    0.2,
                    seed,
                    70);

            assertThat(result.decided()).isFalse();
            assertThat(number(result.recommended(), "receive-buffer")).isBetween(40_000.0, 92_000.0);
            assertThat(result.rows())
                    .as("tried between 16 KiB, which carries too little, and 64 KiB")
                    .anyMatch(row -> "32768".equals(row.candidate().knobs().get("receive-buffer")));
            assertThat(result.alike()).contains(result.recommended());
            if (result.alike().size() > 1) {
                assertThat(text(result, "tcp")).contains("It is a tie with ").contains("the smallest wins");
            }
        }
    }

    @Test
    void runsClearlyInfeasibleCandidatesTwice() {
        TuneResult result = tune(
                candidate -> new Truth(1e6, 0, 10 * (candidate.isDefault() ? 1e7 : number(candidate, "depth"))),
                CONSTRAINED,
                List.of(Knob.list("depth", List.of("3000000", "4000000", "9500000", "10000000"))),
                0.05,
                1,
                MAX_RUNS);

        assertThat(result.rows())
                .filteredOn(row -> row.goodputBitsPerS() < 45e6)
                .hasSize(2)
                .allMatch(row -> row.runs() == 2 && row.verdict() == CandidateVerdict.INFEASIBLE);
    }

    @Test
    void dropsWinnerThatLosesPacketsWhenConfirmed() {
        TuneResult result = tune(
                (candidate, isSearching) ->
                        new Truth(1e6 * depth(candidate), !isSearching && depth(candidate) == 1 ? 0.01 : 0, 1e6),
                new TuneCriteria(List.of(loss(0)), 0.1));

        assertThat(depth(result.recommended())).isEqualTo(2);
        assertThat(result.decided()).isFalse();
        assertThat(result.rows())
                .filteredOn(row -> row.loss().value() > 0)
                .extracting(row -> depth(row.candidate()), TuneResult.CandidateResult::verdict)
                .containsExactly(tuple(1, CandidateVerdict.INFEASIBLE));
        assertThat(result.comparison().runs()).isGreaterThanOrEqualTo(Tuner.CONFIRMING_ROUNDS);
    }

    @Test
    void recommendsCandidateIfDefaultBreaksConstraint() {
        TuneResult result = tune(
                (candidate, isSearching) -> candidate.isDefault()
                        ? new Truth(0.5e6, 0.05, 100e6)
                        : new Truth(1e6 * depth(candidate), 0, 100e6),
                CONSTRAINED);

        assertThat(depth(result.recommended())).isEqualTo(1);
        assertThat(result.isNoDifference()).isFalse();
        assertThat(text(result, "udp"))
                .startsWith("Recommended for udp: depth 1.")
                .contains("The system default does not meet a loss of at most 0.1 %")
                .contains("5 % lost")
                .containsPattern("system default .* breaks a constraint");
    }

    @Test
    void takesVerdictOnDefaultFromComparison() {
        // only while the search runs, something else disturbs the system default
        TuneResult result = tune(
                (candidate, isSearching) ->
                        new Truth(candidate.isDefault() ? (isSearching ? 3e6 : 1e6) : 1e6 * depth(candidate), 0, 1e6),
                FREE);

        assertThat(result.isNoDifference()).isTrue();
        assertThat(result.ofDefault().orElseThrow().verdict()).isEqualTo(CandidateVerdict.TIED);
        assertThat(text(result, "udp"))
                .startsWith("The best of these settings is as good as the system default")
                .containsPattern("depth 1 .* as good as any, best of these settings")
                .containsPattern("system default .* as good as any")
                .doesNotContain("recommended");
    }

    @Test
    void findsSmallestSettingThatMeetsRequirement() throws Exception {
        Knob latency = Knob.range("latency", 1, 1_000); // in ms; the link's round trip is 40 ms
        Objective objective = Objective.of(new Tuning(
                "latency", List.of(), null, null, 100_000, new Tuning.TuneBudget(null, MAX_RUNS), List.of(latency)));
        Constraint unrepaired = Constraint.of(Limit.parse("loss <= 1 %"), MainMetrics.LOSS);
        for (int seed = 0; seed < 20; seed++) {
            Tuner tuner = new Tuner(List.of(latency), new TuneCriteria(List.of(unrepaired), 0.1), false, seed);
            Random random = new Random(seed);
            for (var next = tuner.next(); next.isPresent(); next = tuner.next()) {
                double ms = number(next.get(), "latency");
                double loss = (ms < 40 ? 5 : 0.2) * Math.exp(0.1 * random.nextGaussian());
                tuner.accept(new Trial(
                        ms, 10_000, 0, 1e6, Map.of(MainMetrics.LOSS, new RunValue(1, loss, 10_000)), List.of()));
            }
            TuneResult result = tuner.result();

            assertThat(result.decided()).isTrue();
            assertThat(number(result.recommended(), "latency")).isBetween(40.0, 80.0);
            assertThat(result.ofDefault()).isEmpty();
            assertThat(new TuneReport(result, objective, "srt").text().replace("\n  ", " "))
                    .contains("it meets loss <= 1 %, and no smaller one that was run does.")
                    .doesNotContain("─ latency ─"); // a table of latencies over latencies
            assertThat(TuneCharts.charts(result, objective)).isEmpty();
        }
    }

    /** The machine is busy in half of the runs, in which every packet is late, and half of them are lost. */
    @Test
    void runsThatTheMachineSpoiledDecideNothing() {
        RunMark load = new RunMark("0001 (95 %)", "Other programs ran.", true);
        for (int seed = 0; seed < 10; seed++) {
            Tuner tuner = new Tuner(List.of(Knob.list("depth", List.of("1", "2", "3"))), CONSTRAINED, true, seed);
            Random random = new Random(seed);
            int spoiled = 0;
            for (var next = tuner.next(); next.isPresent(); next = tuner.next()) {
                if (random.nextBoolean()) {
                    spoiled++;
                    tuner.accept(new Trial(50e6, 10_000, 5_000, 1e6, Map.of(), List.of(load)));
                } else {
                    tuner.accept(trial(new Truth(1e6 * depth(next.get()), 0, 100e6), 0.02, random));
                }
            }
            TuneResult result = tuner.result();

            assertThat(depth(result.recommended())).isEqualTo(1);
            assertThat(result.rows()).noneMatch(row -> row.verdict() == CandidateVerdict.INFEASIBLE);
            assertThat(result.spoiledRuns()).isEqualTo(spoiled);
            assertThat(text(result, "udp").replace("\n  ", " "))
                    .startsWith("! Other programs ran. They used 95 % in " + spoiled + " of "
                            + (spoiled + result.runs()) + " runs, which are spoiled: no verdict uses them.");
        }
    }

    @Test
    void stopsRepeatingARunThatIsAlwaysSpoiled() {
        RunMark load = new RunMark("0001 (95 %)", "Other programs ran.", true);
        Tuner tuner = new Tuner(List.of(Knob.list("depth", List.of("1", "2", "3"))), FREE, true, 1);
        Random random = new Random(1);
        tuner.budget(1_000, 1_000);
        int run = 0;
        for (var next = tuner.next(); next.isPresent(); next = tuner.next()) {
            boolean isSpoiled = depth(next.get()) == 2;
            tuner.accept(
                    isSpoiled
                            ? new Trial(1, 10_000, 0, 1e6, Map.of(), List.of(load))
                            : trial(new Truth(1e6 * depth(next.get()), 0, 100e6), 0.02, random));
            run++;
            tuner.budget(1_000, 1_000 - run);
        }
        TuneResult result = tuner.result();

        assertThat(depth(result.recommended())).isEqualTo(1);
        assertThat(result.decided()).isFalse();
        assertThat(result.rows())
                .filteredOn(row -> row.spoiled() > 0)
                .extracting(TuneResult.CandidateResult::verdictText)
                .containsExactly("undecided (load)");
    }

    /** A rate that grows up to 40 kB, and a loss that is 0 from there on. */
    @Test
    void makesRateLargeAndLossSmall() {
        for (Metric<?> metric : List.of(MainMetrics.RECEIVE_RATE, MainMetrics.LOSS)) {
            Function<TuneCandidate, Truth> world = candidate -> {
                double bytes = candidate.isDefault() ? 8_192 : number(candidate, "receive-buffer");
                double value =
                        metric.smallerIsBetter() ? Math.max(0, 40_000 - bytes) / 1_000 : Math.min(40, bytes / 1_000);
                return new Truth(value, 0, 1e6);
            };
            for (int seed = 0; seed < 10; seed++) {
                TuneResult result = tune(
                        world,
                        new TuneCriteria(List.of(), 0.1, metric.smallerIsBetter()),
                        List.of(Knob.range("receive-buffer", 4096, 1 << 20)),
                        0.05,
                        seed,
                        MAX_RUNS);
                String text = new TuneReport(result, Objective.of(metric), "tcp")
                        .text()
                        .replace("\n  ", " ");

                assertThat(result.decided()).isTrue();
                assertThat(number(result.recommended(), "receive-buffer")).isBetween(34_000.0, 66_000.0);
                assertThat(result.comparison().verdict()).isEqualTo(Verdict.WORSE);
                assertThat(result.comparison().ratio().low()).isGreaterThan(3);
                assertThat(text).contains(metric.smallerIsBetter() ? "lower by a factor of" : "higher by a factor of");
            }
        }
    }

    /** A new metric needs nothing here. */
    @Test
    void showsEachJudgedMetricInItsUnit() {
        Knob depth = Knob.list("depth", List.of("1", "2"));
        List<Metric<?>> all = MetricRegistry.all().stream()
                .filter(metric -> metric.combination() != Combination.NOT_JUDGED)
                .<Metric<?>>map(metric -> MetricRegistry.of(metric.id().replace("*", "x")))
                .toList();
        assertThat(all).hasSizeGreaterThan(300).allSatisfy(metric -> {
            boolean isSmaller = metric.smallerIsBetter();
            TuneResult result = tune(
                    candidate -> new Truth(depth(candidate) == 1 == isSmaller ? 2_000 : 4_000, 0, 1e6),
                    new TuneCriteria(List.of(), 0.1, isSmaller),
                    List.of(depth),
                    0.01,
                    1,
                    60);
            TuneReport report = new TuneReport(result, Objective.of(metric), "udp");

            assertThat(depth(result.recommended())).isEqualTo(1);
            assertThat(report.text())
                    .contains(MetricNames.inSentence(metric), metric.type() == Metric.Type.TIME ? "ms" : metric.unit());
            assertThat(TuneCharts.charts(result, Objective.of(metric))).hasSize(2);
        });
    }

    private static String text(TuneResult result, String transport) {
        return new TuneReport(result, Objective.of(MainMetrics.LAG), transport).text();
    }

    private static Constraint loss(double share) {
        return Constraint.ofLoss("a loss of at most 0.1 %", new Limit("loss", "<=", 100 * share + " %"));
    }

    private static Constraint goodput(double bitsPerS) {
        return Constraint.ofGoodput("a goodput", new Limit("receiveRate", ">=", bitsPerS / 1e6 + " Mbit/s"));
    }

    /** Tunes a depth of 1, 2 or 3 in a world that may change after the search. */
    private static TuneResult tune(BiFunction<TuneCandidate, Boolean, Truth> world, TuneCriteria rules) {
        Tuner tuner = new Tuner(List.of(Knob.list("depth", List.of("1", "2", "3"))), rules, true, 1);
        Random random = new Random(1);
        for (var next = tuner.next(); next.isPresent(); next = tuner.next()) {
            tuner.accept(trial(world.apply(next.get(), tuner.isSearching()), 0.02, random));
        }
        return tuner.result();
    }

    /** Returns the depth of a candidate; 4 for the system default. */
    private static int depth(TuneCandidate candidate) {
        return Integer.parseInt(candidate.knobs().getOrDefault("depth", "4"));
    }

    private static TuneResult tune(
            Function<TuneCandidate, Truth> world,
            TuneCriteria rules,
            List<Knob> knobs,
            double noise,
            int seed,
            int budget) {
        Tuner tuner = new Tuner(knobs, rules, true, seed);
        Random random = new Random(seed);
        tuner.budget(budget, budget);
        for (int run = 1; tuner.next().isPresent(); run++) {
            tuner.accept(trial(world.apply(tuner.next().orElseThrow()), noise, random));
            tuner.budget(budget, budget - run);
        }
        return tuner.result();
    }

    /** Returns a trial with skewed noise and outliers. */
    private static Trial trial(Truth truth, double noise, Random random) {
        double outlier = random.nextInt(20) == 0 ? 1.5 : 1;
        long sent = 10_000;
        return new Trial(
                truth.objectiveNs() * Math.exp(noise * random.nextGaussian()) * outlier,
                sent,
                Math.round(truth.loss() * sent),
                truth.goodputBitsPerS() * (1 + 0.002 * random.nextGaussian()));
    }

    private static double number(TuneCandidate candidate, String knob) {
        return Double.parseDouble(candidate.knobs().get(knob));
    }
}
