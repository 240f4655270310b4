package org.lagbench.report.table;

import java.util.List;
import java.util.stream.DoubleStream;
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
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;

/** The values of a metric for the pairs of a matrix. */
public final class MatrixMetrics {
    private MatrixMetrics() {}

    /** Returns how the values of a metric are shown. */
    public static MetricScale scale(MatrixResult result, Metric<?> metric) {
        return MetricScale.of(metric, result.pairs().stream().flatMapToDouble(pair -> {
            Interval interval = interval(pair, metric);
            return interval == null ? DoubleStream.empty() : DoubleStream.of(interval.value());
        }));
    }

    /**
     * Returns the metric that a requirement limits.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such metric, or the requirement has a filter
     *     or a wrong unit
     */
    public static Metric<?> named(Requirement requirement) throws LagbenchException {
        if (!requirement.where().isEmpty()) {
            throw ExitCode.USAGE.failure(
                    "--require \"" + requirement.text() + "\": a pair has no axes; remove what follows \"at\".");
        }
        return requirement.metric();
    }

    /** Judges each pair; throws as {@link #named}. */
    public static List<Judgment> judge(MatrixResult result, Requirement requirement, Judgment.Basis basis)
            throws LagbenchException {
        Metric<?> metric = named(requirement);
        return CheckedFunction.each(result.pairs(), pair -> judge(metric, pair, requirement, basis));
    }

    private static Judgment judge(Metric<?> metric, PairResult pair, Requirement requirement, Judgment.Basis basis)
            throws LagbenchException {
        boolean isUndecided =
                pair.metrics() != null && pair.metrics().undecided().contains(metric);
        Interval found = isUndecided ? null : interval(pair, metric);
        Interval value = found == null ? Interval.ofRanks() : found;
        ClockEffect clock = pair.metrics() == null ? null : pair.metrics().clock();
        double clockDoubt = clock == null
                ? Double.POSITIVE_INFINITY
                : clock.errorNs(Units.NS_PER_US * value.value()) / Units.NS_PER_US;
        Judgment.Subject subject =
                new Judgment.Subject(null, pairName(pair), metric.unit(), metric.combination(), 1, Included.NONE);
        Judgment judgment = Judgment.of(requirement, subject, value, metric.needsCommonClock() ? clockDoubt : 0, basis);
        return isUndecided ? judgment.ofRestOfRuns() : judgment;
    }

    /** Returns the name of a pair: "vienna → graz". */
    public static String pairName(PairResult pair) {
        return pair.from() + " → " + pair.to();
    }

    /** Returns the value in the unit of the metric; null if it was not measured. */
    public static @Nullable Interval interval(PairResult pair, Metric<?> metric) {
        PairMetrics metrics = pair.metrics();
        return metrics == null ? null : metrics.values().get(metric);
    }

    /**
     * Returns the value of a pair as text for tables, a dash if it is missing. A rate that is not the path's has the
     * first letter of its verdict.
     */
    public static String text(PairResult pair, Metric<?> metric, MetricScale scale) {
        Interval interval = interval(pair, metric);
        if (interval == null) {
            return Numbers.NONE;
        }
        TransferLimit verdict = metric.equals(PairMetrics.RATE) ? verdict(pair.metrics()) : null;
        return scale.text(interval.value())
                + (verdict == null || verdict == TransferLimit.NETWORK
                        ? ""
                        : " " + verdict.text().charAt(0));
    }

    /** Returns what limited the rate of TCP; null if there was no transfer. */
    static @Nullable TransferLimit verdict(@Nullable PairMetrics metrics) {
        Probe last = metrics == null ? null : metrics.lastProbe();
        return metrics != null && metrics.path().isPresent()
                ? TransferLimit.NETWORK
                : last == null ? null : last.verdict().verdict();
    }
}
