package org.lagbench.report.chart;

import java.util.List;

/** The charts of what delayed the slow packets. */
public final class CauseCharts implements ChartKind.Source {
    @Override
    public List<ChartKind> kinds() {
        return List.of(
                new ChartKind(
                        "slow-packets",
                        10,
                        "a late packet with a cause (observe: [events])",
                        LagDistribution::drawTail),
                new ChartKind(
                        "ledger",
                        70,
                        "slow packets whose lags are divided (observe: [events])",
                        (context, name) -> LedgerChart.draw(context, name))); // a method reference would load java.awt
    }

    @Override
    public List<ReportChart> overviews(ChartContext context) {
        return List.of(LedgerChart.overview(context));
    }
}
