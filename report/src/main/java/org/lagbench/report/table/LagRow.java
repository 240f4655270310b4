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
 * @param figures the figures of the run or point that the row belongs to
 * @param boundNs ± how far a lag may be off, in ns; null if unknown
 * @param basis the bases of the bound
 */
record LagRow(String kind, Metrics figures, SeriesStatistics statistics, @Nullable Long boundNs, String basis) {
    private static final String RAW = "raw";

    /** Returns the row of a series, if the figures have it, and those of the corrected lags if requested. */
    static List<LagRow> of(Metrics figures, Series series, boolean isCorrected) {
        SeriesStatistics statistics = figures.series().get(series);
        if (statistics == null) {
            return List.of();
        }
        Long boundNs = figures.clock().boundNs();
        String basis =
                boundNs == null ? Numbers.NONE : ClockText.bases(figures.clock().bases());
        List<LagRow> rows = new ArrayList<>();
        rows.add(new LagRow(RAW, figures, statistics, boundNs, basis));
        for (CorrectedLag corrected : isCorrected ? figures.require(MetricGroup.CORRECTED) : List.<CorrectedLag>of()) {
            Estimator estimator = corrected.estimator();
            rows.add(new LagRow(
                    estimator.text(), figures, corrected.lag(), corrected.uncertaintyNs(), estimator.basis()));
        }
        return rows;
    }

    /** Returns whether it is the lag as stamped. */
    boolean isRaw() {
        return kind.equals(RAW);
    }

    /** Returns the lost share of the packets in percent, marked if there is any. */
    String loss() {
        return (figures.packets().lost() == 0 ? "" : "! ") + Warnings.loss(figures.packets());
    }
}
