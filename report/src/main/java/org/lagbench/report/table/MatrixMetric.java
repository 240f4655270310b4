package org.lagbench.report.table;

import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.Verdict;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.model.TextEnum;

/** A figure of each pair, by its name in files. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum MatrixMetric implements TextEnum {
    LAG("Median lag in µs", PairMetrics::lagNs, Numbers::briefUsText),
    LOSS("Loss in %", PairMetrics::loss, Numbers::percent),
    ROUND_TRIP("Median round trip in µs", PairMetrics::roundTripNs, Numbers::briefUsText),
    RATE("Rate of TCP in Mb/s", MatrixMetric::rate, Numbers::mbpsText);

    private final String title;
    private final Function<PairMetrics, @Nullable Interval> interval;
    private final DoubleFunction<String> format;

    MatrixMetric(String title, Function<PairMetrics, @Nullable Interval> interval, DoubleFunction<String> format) {
        this.title = title;
        this.interval = interval;
        this.format = format;
    }

    /** Returns the heading with the unit. */
    public String title() {
        return title;
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
