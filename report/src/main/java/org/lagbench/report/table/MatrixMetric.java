package org.lagbench.report.table;

import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.Verdict;
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
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.text.Units;

/** A metric of each pair, by its name in files. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum MatrixMetric implements TextEnum {
    LAG("Median lag", "µs", 1 / Units.NS_PER_US, PairMetrics::lagNs, Numbers::briefUsText),
    LOSS("Loss", "%", Units.PERCENT, PairMetrics::loss, Numbers::percent),
    ROUND_TRIP("Median round trip", "µs", 1 / Units.NS_PER_US, PairMetrics::roundTripNs, Numbers::briefUsText),
    RATE("Rate of TCP", "Mbit/s", 1 / Units.BITS_PER_MBIT, MatrixMetric::rate, Numbers::mbpsText);

    private final String quantity;
    private final String unit;
    private final double unitFactor;
    private final Function<PairMetrics, @Nullable Interval> interval;
    private final DoubleFunction<String> format;

    MatrixMetric(
            String quantity,
            String unit,
            double unitFactor,
            Function<PairMetrics, @Nullable Interval> interval,
            DoubleFunction<String> format) {
        this.quantity = quantity;
        this.unit = unit;
        this.unitFactor = unitFactor;
        this.interval = interval;
        this.format = format;
    }

    /** Returns the heading with the unit. */
    public String title() {
        return quantity + " in " + unit;
    }

    /**
     * Judges each pair.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if the requirement names no metric, or has a filter or a
     *     wrong unit
     */
    public static List<Judgment> judge(MatrixResult result, Requirement requirement, Judgment.Basis basis)
            throws LagbenchException {
        try {
            if (!requirement.where().isEmpty()) {
                throw new IllegalArgumentException("a pair has no axes; remove what follows \"at\".");
            }
            MatrixMetric metric = TextEnum.parse(MatrixMetric.class, "metric", requirement.name());
            return CheckedFunction.each(result.pairs(), pair -> metric.judge(pair, requirement, basis));
        } catch (IllegalArgumentException e) {
            String sentence = "--require \"" + requirement.text() + "\": " + e.getMessage();
            throw new LagbenchException(ExitCode.USAGE, sentence, e);
        }
    }

    private Judgment judge(PairResult pair, Requirement requirement, Judgment.Basis basis) throws LagbenchException {
        PairMetrics figures = pair.figures();
        Interval found = figures == null ? null : interval(figures);
        Interval value = found == null ? Interval.ofRanks() : found.times(unitFactor);
        ClockEffect clock = figures == null ? null : figures.clock();
        double clockDoubt = clock == null
                ? Double.POSITIVE_INFINITY
                : clock.errorNs(Units.NS_PER_US * value.value()) / Units.NS_PER_US;
        Judgment.Subject subject = new Judgment.Subject(null, pairName(pair), unit, 1, Included.NONE);
        return Judgment.of(requirement, subject, value, this == LAG ? clockDoubt : 0, basis);
    }

    /** Returns the name of a pair: "vienna → graz". */
    public static String pairName(PairResult pair) {
        return pair.from() + " → " + pair.to();
    }

    /** Returns the value in ns or bit/s, or as a share; null if it was not measured. */
    public @Nullable Interval interval(PairMetrics figures) {
        return interval.apply(figures);
    }

    /** Returns a value as text for tables. A rate that is not the path's has the first letter of its verdict. */
    String text(PairMetrics figures, double value) {
        Verdict verdict = this == RATE ? verdict(figures) : null;
        String mark = verdict == null || verdict == Verdict.NETWORK
                ? ""
                : " " + verdict.text().charAt(0);
        return format.apply(value) + mark;
    }

    private static @Nullable Interval rate(PairMetrics figures) {
        Probe last = figures.lastProbe();
        return figures.path()
                .map(path -> path.rate())
                .orElseGet(
                        () -> last == null ? null : new Interval(last.verdict().bitsPerS(), Double.NaN, Double.NaN));
    }

    /** Returns what limited the rate of TCP; null if there was no transfer. */
    static @Nullable Verdict verdict(PairMetrics figures) {
        Probe last = figures.lastProbe();
        return figures.path().isPresent()
                ? Verdict.NETWORK
                : last == null ? null : last.verdict().verdict();
    }
}
