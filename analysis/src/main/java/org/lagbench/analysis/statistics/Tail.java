package org.lagbench.analysis.statistics;

import java.math.BigDecimal;
import org.lagbench.core.failure.LagbenchException;

/** The tail of a series, which is attributed to causes: the values above a quantile of their run. */
public enum Tail {
    Q50("50"),
    Q95("95"),
    Q99("99"),
    Q999("99.9");

    public static final Tail DEFAULT = Q99;

    private final BigDecimal percent;

    Tail(String percent) {
        this.percent = new BigDecimal(percent);
    }

    /** Returns the quantile in percent, as on the command line: "99". */
    public BigDecimal percent() {
        return percent;
    }

    /**
     * Returns the quantile in ns, estimator R-7.
     *
     * @param values the values of the run
     * @param statistics their statistics
     */
    public double limitNs(LongValues values, SeriesStatistics statistics) throws LagbenchException {
        return switch (this) {
            case Q50 -> statistics.medianNs();
            case Q95 -> statistics.withoutQ95().quantileNs();
            case Q99 -> statistics.withoutQ99().quantileNs();
            case Q999 -> TailStatistics.of(values).q999Ns();
        };
    }
}
