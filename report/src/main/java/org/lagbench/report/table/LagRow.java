package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.Estimator;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.CorrectedLag;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;

/**
 * A row of a table of a series.
 *
 * @param kind "raw", or how the lag was corrected
 * @param metrics the metrics of the run or point that the row belongs to
 * @param boundNs ± how far a lag may be off, in ns; null if unknown
 * @param basis the bases of the bound
 */
record LagRow(String kind, Metrics metrics, SeriesStatistics statistics, @Nullable Long boundNs, String basis) {
    private static final String RAW = "raw";

    /** Returns the row of a series, if the metrics have it, and those of the corrected lags if requested. */
    static List<LagRow> of(Metrics metrics, Series series, boolean isCorrected) {
        SeriesStatistics statistics = metrics.series().get(series);
        if (statistics == null) {
            return List.of();
        }
        Long boundNs = metrics.clock().boundNs();
        String basis =
                boundNs == null ? Numbers.NONE : ClockText.bases(metrics.clock().bases());
        List<LagRow> rows = new ArrayList<>();
        rows.add(new LagRow(RAW, metrics, statistics, boundNs, basis));
        for (CorrectedLag corrected : isCorrected ? metrics.require(MetricGroup.CORRECTED) : List.<CorrectedLag>of()) {
            Estimator estimator = corrected.estimator();
            rows.add(new LagRow(
                    estimator.text(), metrics, corrected.lag(), corrected.uncertaintyNs(), estimator.basis()));
        }
        return rows;
    }

    /** Returns whether it is the lag as stamped. */
    boolean isRaw() {
        return kind.equals(RAW);
    }

    /** Returns the lost share of the packets in percent, marked if there is any. */
    String loss() {
        return (metrics.packets().lost() == 0 ? "" : "! ") + Warnings.loss(metrics.packets());
    }
}
