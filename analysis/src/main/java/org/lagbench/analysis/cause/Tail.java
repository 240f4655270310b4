package org.lagbench.analysis.cause;

import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.core.failure.LagbenchException;

/** Which values of a series are its tail, each of which is given a cause: those above a quantile of their run. */
public enum Tail {
    /** Above the median: everything that is late at all. */
    Q50("50") {
        @Override
        double limitNs(LongValues values, SeriesStatistics statistics) {
            return statistics.medianNs();
        }
    },
    /** Above the 95 % quantile. */
    Q95("95") {
        @Override
        double limitNs(LongValues values, SeriesStatistics statistics) {
            return statistics.withoutQ95().quantileNs();
        }
    },
    /** Above the 99 % quantile. */
    Q99("99") {
        @Override
        double limitNs(LongValues values, SeriesStatistics statistics) {
            return statistics.withoutQ99().quantileNs();
        }
    },
    /** Above the 99.9 % quantile. */
    Q999("99.9") {
        @Override
        double limitNs(LongValues values, SeriesStatistics statistics) throws LagbenchException {
            return TailStatistics.of(values).q999Ns();
        }
    };

    /** What is said to be the tail where nothing else is asked for. */
    public static final Tail DEFAULT = Q99;

    private final String percent;

    Tail(String percent) {
        this.percent = percent;
    }

    /** The quantile in percent, as on the command line: "99". */
    public String percent() {
        return percent;
    }

    /**
     * The quantile, estimator R-7.
     *
     * @param values those of the run
     * @param statistics theirs
     */
    abstract double limitNs(LongValues values, SeriesStatistics statistics) throws LagbenchException;
}
