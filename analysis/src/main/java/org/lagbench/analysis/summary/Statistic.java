package org.lagbench.analysis.summary;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.statistics.SeriesStatistics;

/** A statistic of a series of durations, in the order of tables. */
public enum Statistic {
    MINIMUM("minimum", "Min", SeriesStatistics::minimumNs),
    MEDIAN("median", "Median", SeriesStatistics::medianNs),
    /** The 95 % quantile. */
    Q95("q95", "Q95", all -> all.withoutQ95().quantileNs()),
    /** The 99 % quantile. */
    Q99("q99", "Q99", all -> all.withoutQ99().quantileNs()),
    MAXIMUM("maximum", "Max", SeriesStatistics::maximumNs),
    MEAN("mean", "Mean", SeriesStatistics::meanNs),
    /** The sample standard deviation. */
    DEVIATION("standardDeviation", "SD", SeriesStatistics::standardDeviationNs);

    /** The quantiles from the smallest value to the largest. */
    public static final List<Statistic> QUANTILES = List.of(MINIMUM, MEDIAN, Q95, Q99, MAXIMUM);

    private final String id;
    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final ToDoubleFunction<SeriesStatistics> reader;

    Statistic(String id, String title, ToDoubleFunction<SeriesStatistics> reader) {
        this.id = id;
        this.title = title;
        this.reader = reader;
    }

    /** Returns the name in files. */
    public String id() {
        return id;
    }

    /** Returns the name in tables. */
    public String title() {
        return title;
    }

    /** Returns the value of a series in ns; NaN if it is undefined. */
    public double ns(SeriesStatistics series) {
        return reader.applyAsDouble(series);
    }
}
