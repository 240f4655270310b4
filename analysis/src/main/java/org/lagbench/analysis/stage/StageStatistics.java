package org.lagbench.analysis.stage;

import org.lagbench.analysis.statistics.SeriesStatistics;

/**
 * How long packets were in one stage, in ns.
 *
 * @param meanNs mean
 * @param medianNs median, estimator R-7
 * @param q95Ns 95 % quantile
 * @param q99Ns 99 % quantile
 */
public record StageStatistics(double meanNs, double medianNs, double q95Ns, double q99Ns) {
    static StageStatistics of(SeriesStatistics series) {
        return new StageStatistics(
                series.meanNs(),
                series.medianNs(),
                series.withoutQ95().quantileNs(),
                series.withoutQ99().quantileNs());
    }
}
