import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.lagbench.analysis.capacity.PacketTrain;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.RatioTest;
import org.lagbench.analysis.comparison.SeriesRequirements;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.forecast.SeriesForecast.CoveredInterval;
import org.lagbench.analysis.forecast.MeanRatio;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.media.DelayBudget;
import org.lagbench.analysis.media.DelayBudget.DelayInterval;
import org.lagbench.analysis.media.DelayBudget.LateTarget;
import org.lagbench.analysis.media.PlayoutBudget;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.tune.Trial;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneCriteria;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.Limit;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.timeseries.SeriesInfo.Domain;

/**
 * Draws values of known distributions, lets lagbench compute its intervals and verdicts, and counts which are right.
 * The arguments are one of the kinds in {@link #main}, the number of draws, and an empty directory. Each line of the
 * output has tabs between: what was drawn, number of draws, draws with an interval or verdict, draws in which it is
 * right, and what is stated: "95", another confidence in percent, "at least 95", or "nothing".
 */
public final class Intervals {
    private static final double RATE_PER_NS = 1e-4;
    private static final int PACKET_BYTES = 972;

    /** Values, one at a time; their median, their mean, and their quantiles 95 and 99 %. */
    private record Distribution(
            String name, DoubleSupplier values, double median, double mean, double q95, double q99) {}

    private static final Random RANDOM = new Random(20261124);

    private final int draws;
    private final Path directory;

    private Intervals(int draws, Path directory) {
        this.draws = draws;
        this.directory = directory;
    }

    public static void main(String[] arguments) throws Exception {
        Intervals intervals = new Intervals(Integer.parseInt(arguments[1]), Path.of(arguments[2]));
        switch (arguments[0]) {
            case "repeats" -> intervals.repeats();
            case "compare" -> intervals.compare();
            case "equivalence" -> intervals.equivalence();
            case "verdicts" -> intervals.verdicts();
            case "means" -> intervals.means();
            case "forecast" -> intervals.forecast();
            case "playout" -> intervals.playout();
            case "capacity" -> intervals.capacity();
            case "tune" -> intervals.tune();
            default -> throw new IllegalArgumentException("no kind " + arguments[0]);
        }
    }

    // --- Distributions --------------------------------------------------------------------------------------------

    private static Distribution normal() {
        return new Distribution("normal", RANDOM::nextGaussian, 0, 0, 1.644854, 2.326348);
    }

    private static Distribution skewed() {
        return new Distribution(
                "skewed", () -> -Math.log(1 - RANDOM.nextDouble()), Math.log(2), 1, Math.log(20), Math.log(100));
    }

    /** Normal, and 2 % of the values are 20 more. */
    private static Distribution spikes() {
        DoubleSupplier values = () -> RANDOM.nextGaussian() + (RANDOM.nextInt(50) == 0 ? 20 : 0);
        return new Distribution("spikes", values, .025583, .4, 1.870703, 20);
    }

    /** An autoregressive process of order 1, normal with variance 1. */
    private static Distribution correlated(double correlation) {
        double[] state = {RANDOM.nextGaussian()};
        DoubleSupplier values = () ->
                state[0] = correlation * state[0] + Math.sqrt(1 - correlation * correlation) * RANDOM.nextGaussian();
        return new Distribution("AR " + correlation, values, 0, 0, 1.644854, 2.326348);
    }

    private static List<Distribution> independent() {
        return List.of(normal(), skewed(), spikes());
    }

    private static List<Distribution> all() {
        return List.of(normal(), skewed(), spikes(), correlated(.5), correlated(.8), correlated(.95), correlated(.99));
    }

    private static double[] draw(DoubleSupplier values, int n) {
        return DoubleStream.generate(values).limit(n).toArray();
    }

    // --- Counts ---------------------------------------------------------------------------------------------------

    private static final class Count {
        private int draws;
        private int given;
        private int right;

        void none() {
            draws++;
        }

        void add(double low, double high, double truth) {
            add(!Double.isNaN(low) && !Double.isNaN(high), low <= truth && truth <= high);
        }

        void add(boolean isGiven, boolean isRight) {
            draws++;
            given += isGiven ? 1 : 0;
            right += isGiven && isRight ? 1 : 0;
        }

        void print(String what, String stated) {
            System.out.println(String.join(
                    "\t", what, Integer.toString(draws), Integer.toString(given), Integer.toString(right), stated));
        }
    }

    // --- What lagbench prints -------------------------------------------------------------------------------------

    /** The median over repeats, in the table over the runs of a point: with its own confidence. */
    private void repeats() {
        for (Distribution one : independent()) {
            for (int repeats : new int[] {2, 5, 6, 8, 12, 25}) {
                int rank = Interval.medianRank(repeats);
                Count count = new Count();
                for (int i = 0; i < draws; i++) {
                    double[] sorted =
                            DoubleStream.of(draw(one.values, repeats)).sorted().toArray();
                    count.add(sorted[rank], sorted[repeats - 1 - rank], one.median);
                }
                String name = one.name + ", " + repeats + " repeats";
                count.print(name, Double.toString(100 * Interval.medianConfidence(repeats)));
            }
        }
    }

    /** The ratio of compare, of tune, of streams alone and together: a repeat's logarithm has the distribution. */
    private void compare() {
        for (Distribution one : independent()) {
            for (int repeats : new int[] {4, 5, 6, 7, 8, 12, 25}) {
                Count count = new Count();
                for (int i = 0; i < draws; i++) {
                    Interval ratio = Interval.ofMedian(
                            draw(() -> 1.3 * Math.exp(.2 * (one.values.getAsDouble() - one.median)), repeats));
                    count.add(ratio.low(), ratio.high(), 1.3);
                }
                count.print(one.name + ", " + repeats + " repeats", "95");
            }
        }
    }

    /** The verdict "equivalent" where the true ratio is just outside of the margin. */
    private void equivalence() {
        for (Distribution one : independent()) {
            for (int repeats : new int[] {5, 8, 13, 25}) {
                Count count = new Count();
                for (int i = 0; i < draws; i++) {
                    double[] ratios =
                            draw(() -> 1.05 * Math.exp(.005 * (one.values.getAsDouble() - one.median)), repeats);
                    count.add(true, RatioTest.verdict(ratios, .05, 0, true) != Verdict.EQUIVALENT);
                }
                count.print(one.name + ", " + repeats + " repeats", "at least 95");
            }
        }
    }

    /**
     * Verdicts that are wrong most often: a requirement whose limit is close to the true median, and two sessions whose
     * points are equal. Five repeats have only 93.75 %, because their interval is the whole range.
     */
    private void verdicts() throws Exception {
        Limit below = Limit.parse("loss <= 0 %");
        for (Distribution one : independent()) {
            for (int repeats : new int[] {5, 6, 8, 13, 25}) {
                Count met = new Count();
                Count missed = new Count();
                Count equal = new Count();
                for (int i = 0; i < draws; i++) {
                    Interval median = Interval.ofRanks(draw(one.values, repeats));
                    met.add(true, Judgment.outcome(below, one.median - 1e-6, median, 0) != Judgment.Outcome.MET);
                    missed.add(true, Judgment.outcome(below, one.median + 1e-6, median, 0) != Judgment.Outcome.MISSED);
                    double[] ratios = draw(
                            () -> Math.exp(.2 * (one.values.getAsDouble() - one.values.getAsDouble())), repeats);
                    Verdict verdict = RatioTest.verdict(ratios, .05, 0, true);
                    equal.add(true, verdict != Verdict.BETTER && verdict != Verdict.WORSE);
                }
                met.print("not met, " + one.name + ", " + repeats + " repeats", "at least 95");
                missed.print("not missed, " + one.name + ", " + repeats + " repeats", "at least 95");
                equal.print("equal, " + one.name + ", " + repeats + " repeats", repeats == 5 ? "93.75" : "at least 95");
            }
        }
        for (Distribution one : all()) {
            Count count = new Count();
            for (int i = 0; i < draws; i++) {
                Interval median = SeriesRequirements.median(draw(one.values, 1_000));
                Judgment.Outcome verdict = Judgment.outcome(below, one.median - 1e-6, median, 0);
                count.add(median.hasEnds(), verdict != Judgment.Outcome.MET);
            }
            count.print("not met, series, " + one.name, "at least 95");
        }
    }

    /** The ratio of the means of two series, of forecast --against and of equivalence studies. */
    private void means() {
        for (int i = 0; i < all().size(); i++) {
            for (int pairs : new int[] {500, 2_000, 20_000}) {
                Count count = new Count();
                Distribution one = all().get(i);
                Distribution other = all().get(i);
                for (int j = 0; j < (pairs > 2_000 ? draws / 5 : draws); j++) {
                    MeanRatio ratio = MeanRatio.of(
                            draw(() -> 10 + one.values.getAsDouble(), pairs),
                            draw(() -> 12 + 1.2 * other.values.getAsDouble(), pairs));
                    count.add(ratio == null ? Double.NaN : ratio.low(), ratio == null ? 0 : ratio.high(), 1.2);
                }
                count.print(one.name + ", " + pairs + " pairs", "95");
            }
        }
    }

    /** The intervals of the next value. */
    private void forecast() {
        for (Distribution one : Stream.concat(all().stream(), Stream.of(walk())).toList()) {
            Count conformal = new Count();
            Count paper = new Count();
            for (int series = 0; series < Math.max(1, draws / 100); series++) {
                SeriesForecaster forecaster = new SeriesForecaster(Selection.PAPER, 1, Domain.ANY);
                for (int i = 0; i < 1_000; i++) {
                    double value = one.values.getAsDouble();
                    CoveredInterval interval = forecaster.conformalInterval();
                    conformal.add(interval.low(), interval.high(), value);
                    interval = forecaster.mseInterval();
                    paper.add(interval.low(), interval.high(), value);
                    forecaster.learn(value);
                }
            }
            conformal.print("conformal, " + one.name, "95");
            paper.print("± 2√MSE, " + one.name, "nothing");
        }
    }

    private static Distribution walk() {
        double[] state = {0};
        return new Distribution("random walk", () -> state[0] += RANDOM.nextGaussian(), 0, 0, 0, 0);
    }

    /** The delay of a playout buffer. The first packet has the smallest lag, which delays are relative to. */
    private void playout() throws Exception {
        for (Distribution one : all()) {
            for (int packets : new int[] {2_000, 10_000}) {
                Map<LateTarget, Double> truths = new LinkedHashMap<>();
                truths.put(LateTarget.FIVE_PERCENT, one.q95);
                truths.put(LateTarget.ONE_PERCENT, one.q99);
                Map<LateTarget, Count> counts = new LinkedHashMap<>();
                truths.keySet().forEach(target -> counts.put(target, new Count()));
                for (int i = 0; i < draws / 5; i++) {
                    Path run = run(packets, packet -> packet == 0 ? 0 : delayNs(one.values.getAsDouble()), 1_000_000);
                    try (JoinedRun joined = JoinedRun.open(run)) {
                        PlayoutBudget budget = PlayoutBudget.of(List.of(joined));
                        counts.forEach((target, count) -> {
                            DelayBudget found = budget.budget(target);
                            DelayInterval interval = found.correlated();
                            Long high = interval == null ? null : interval.highNs();
                            if (interval == null || high == null) {
                                count.none();
                            } else {
                                count.add(interval.lowNs(), high, delayNs(truths.get(target)));
                            }
                        });
                    }
                }
                counts.forEach((target, count) ->
                        count.print(one.name + ", " + packets + " packets, " + target.text() + " late", "95"));
            }
        }
    }

    private static long delayNs(double value) {
        return Math.round(1e6 * (50 + value));
    }

    /** The rate at which a path delivers a train: the gaps between arrivals have the distribution. */
    private void capacity() throws Exception {
        for (Distribution one : all()) {
            Count count = new Count();
            for (int i = 0; i < draws / 5; i++) {
                double[] at = {0};
                Path run = run(
                        2_000,
                        packet -> Math.round(at[0] += (1 + .05 * (one.values.getAsDouble() - one.mean)) / RATE_PER_NS),
                        0);
                Interval rate = PacketTrain.read(run, PACKET_BYTES, PacketTrain.HEADER_BYTES).receivedInterval();
                double bitsPerS = 8e9 * (PACKET_BYTES + PacketTrain.HEADER_BYTES) * RATE_PER_NS;
                count.add(rate.low(), rate.high(), bitsPerS);
            }
            count.print(one.name + ", trains of 2000 packets", "95");
        }
    }

    private interface Lags {
        /** Returns when a packet arrives, in ns after it was sent. */
        long of(int packet);
    }

    private Path run(int packets, Lags lags, long everyNs) throws IOException {
        Path run = Files.createTempDirectory(directory, "run");
        try (SenderCapture sender = SenderCapture.create(run.resolve(SenderCapture.FILE_NAME), packets, false);
                ReceiverCapture receiver =
                        ReceiverCapture.create(run.resolve(ReceiverCapture.FILE_NAME), packets, false)) {
            for (int i = 0; i < packets; i++) {
                long sentNs = 1_800_000_000_000_000_000L + i * everyNs;
                sender.append(i, sentNs, sentNs, sentNs);
                receiver.append(i, sentNs + lags.of(i), 0);
            }
        }
        return run;
    }

    /** A decided tune whose recommendation is beyond the indifference of the best, and the interval of its gain. */
    private void tune() {
        for (Distribution one : List.of(normal(), skewed(), spikes(), correlated(.5), correlated(.95))) {
            Count decision = new Count();
            Count gain = new Count();
            for (int i = 0; i < draws / 5; i++) {
                Map<TuneCandidate, Double> truths = new LinkedHashMap<>();
                Tuner tuner = new Tuner(
                        List.of(Knob.list("depth", List.of("1", "2", "3", "4", "5"))),
                        new TuneCriteria(List.of(), .1),
                        true,
                        i);
                for (int run = 0; tuner.next().isPresent() && run < 400; run++) {
                    TuneCandidate candidate = tuner.next().orElseThrow();
                    double truth = truths.computeIfAbsent(
                            candidate, any -> 1e6 * (candidate.isDefault() ? 1.5 : 1 + RANDOM.nextDouble() / 4));
                    double noise = Math.exp(.08 * (one.values.getAsDouble() - one.median));
                    tuner.accept(new Trial(truth * noise, 1_000, 0, 1e8));
                }
                tuner.budget(400, 0);
                TuneResult result = tuner.result();
                TuneCandidate found = result.recommended();
                double best = truths.values().stream()
                        .mapToDouble(Double::doubleValue)
                        .min()
                        .orElseThrow();
                decision.add(result.decided() && found != null, found != null && truths.get(found) <= 1.1 * best);
                Interval ratio = result.comparison().ratio();
                gain.add(ratio.low(), ratio.high(), found == null ? 0 : 1.5e6 / truths.get(found));
            }
            decision.print("decision, " + one.name, "at least 95");
            gain.print("gain, " + one.name, "95");
        }
    }
}
