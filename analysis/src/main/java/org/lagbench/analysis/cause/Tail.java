package org.lagbench.analysis.cause;

import java.math.BigDecimal;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.core.failure.LagbenchException;

/** Which values of a series are its tail, each of which is given a cause: those above a quantile of their run. */
public enum Tail {
    /** Above the median: everything that is late at all. */
    Q50("50"),
    /** Above the 95 % quantile. */
    Q95("95"),
    /** Above the 99 % quantile. */
    Q99("99"),
    /** Above the 99.9 % quantile. */
    Q999("99.9");

    /** What is said to be the tail where nothing else is asked for. */
    public static final Tail DEFAULT = Q99;

    private final BigDecimal percent;

    Tail(String percent) {
        this.percent = new BigDecimal(percent);
    }

    /** The quantile in percent, as on the command line: "99". */
    public BigDecimal percent() {
        return percent;
    }

    /**
     * The quantile, estimator R-7.
     *
     * @param values those of the run
     * @param statistics theirs
     */
    double limitNs(LongValues values, SeriesStatistics statistics) throws LagbenchException {
        return switch (this) {
            case Q50 -> statistics.medianNs();
            case Q95 -> statistics.withoutQ95().quantileNs();
            case Q99 -> statistics.withoutQ99().quantileNs();
            case Q999 -> TailStatistics.of(values).q999Ns();
        };
    }
}
