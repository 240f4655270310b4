package org.lagbench.report.table;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.Requirement;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/** The metrics of the pairs of a matrix. */
public final class MatrixMetrics {
    /** All, in the order of tables. */
    public static final List<Metric<?>> ALL =
            List.of(MainMetrics.LAG, MainMetrics.LOSS, MainMetrics.ROUND_TRIP, PairMetrics.RATE);

    private MatrixMetrics() {}

    /** Returns the heading of a metric with its unit: "Median transmit lag in ms". */
    public static String title(Metric<?> metric) {
        boolean isMedian = metric.statistic().equals("Median");
        return (isMedian ? "Median " + metric.title().toLowerCase(Locale.ROOT) : metric.title()) + " in "
                + (metric.unit().equals("µs") ? "ms" : metric.unit());
    }

    /**
     * Returns the metric that a requirement limits.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if a pair has no such metric, or the requirement has a
     *     filter or a wrong unit
     */
    public static Metric<?> named(Requirement requirement) throws LagbenchException {
        Metric<?> metric = requirement.metric();
        if (!ALL.contains(metric) || !requirement.where().isEmpty()) {
            throw ExitCode.USAGE.failure("--require \"" + requirement.text() + "\": "
                    + (ALL.contains(metric)
                            ? "a pair has no axes; remove what follows \"at\"."
                            : "the pairs of a matrix have "
                                    + String.join(
                                            ", ", ALL.stream().map(Metric::id).toList())
                                    + "."));
        }
        return metric;
    }

    /** Judges each pair; throws as {@link #named}. */
    public static List<Judgment> judge(MatrixResult result, Requirement requirement, Judgment.Basis basis)
            throws LagbenchException {
        Metric<?> metric = named(requirement);
        return CheckedFunction.each(result.pairs(), pair -> judge(metric, pair, requirement, basis));
    }

    private static Judgment judge(Metric<?> metric, PairResult pair, Requirement requirement, Judgment.Basis basis)
            throws LagbenchException {
        PairMetrics metrics = pair.metrics();
        Interval found = metrics == null ? null : interval(metric, metrics);
        Interval value = found == null ? Interval.ofRanks() : found;
        ClockEffect clock = metrics == null ? null : metrics.clock();
        double clockDoubt = clock == null
                ? Double.POSITIVE_INFINITY
                : clock.errorNs(Units.NS_PER_US * value.value()) / Units.NS_PER_US;
        Judgment.Subject subject =
                new Judgment.Subject(null, pairName(pair), metric.unit(), metric.combination(), 1, Included.NONE);
        return Judgment.of(requirement, subject, value, metric.needsCommonClock() ? clockDoubt : 0, basis);
    }

    /** Returns the name of a pair: "vienna → graz". */
    public static String pairName(PairResult pair) {
        return pair.from() + " → " + pair.to();
    }

    /** Returns the value in the unit of the metric; null if it was not measured. */
    public static @Nullable Interval interval(Metric<?> metric, PairMetrics metrics) {
        Interval interval = metric.equals(PairMetrics.RATE)
                ? metrics.rate()
                : metric.equals(MainMetrics.LOSS)
                        ? metrics.loss()
                        : metric.equals(MainMetrics.LAG) ? metrics.lagNs() : metrics.roundTripNs();
        double factor = metric.unit().equals("µs") ? 1 / Units.NS_PER_US : metric.scaled(1);
        return interval == null ? null : interval.times(factor);
    }

    /** Returns a value as text for tables. A rate that is not the path's has the first letter of its verdict. */
    static String text(Metric<?> metric, PairMetrics metrics, double value) {
        if (metric.unit().equals("µs")) {
            double ms = value * Units.NS_PER_US / Units.NS_PER_MS;
            int decimals = ms == 0 ? 0 : 2 - (int) Math.floor(Math.log10(Math.abs(ms)));
            return Numbers.grouped(Math.max(0, decimals), ms);
        }
        if (!metric.equals(PairMetrics.RATE)) {
            return Numbers.percent(value / Units.PERCENT);
        }
        TransferLimit verdict = verdict(metrics);
        String mark = verdict == null || verdict == TransferLimit.NETWORK
                ? ""
                : " " + verdict.text().charAt(0);
        return Numbers.mbitText(Units.BITS_PER_MBIT * value) + mark;
    }

    /** Returns what limited the rate of TCP; null if there was no transfer. */
    static @Nullable TransferLimit verdict(PairMetrics metrics) {
        Probe last = metrics.lastProbe();
        return metrics.path().isPresent()
                ? TransferLimit.NETWORK
                : last == null ? null : last.verdict().verdict();
    }
}
