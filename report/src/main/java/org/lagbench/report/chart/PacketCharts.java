package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.chart.RunView.RunDrawer;

/** The charts that show packets of runs, or metrics of all of them over an axis. */
public final class PacketCharts implements ChartKind.Source {
    @Override
    public List<ChartKind> kinds() {
        return List.of(
                new ChartKind("lag-distribution", 0, "a packet that arrived", LagDistribution::draw),
                new ChartKind(
                        "lag-boxes",
                        20,
                        "a packet that arrived",
                        (context, name) -> LagBoxes.draw(context, name)), // a method reference would load java.awt
                new ChartKind("inter-packet-delay", 30, "a run of two packets", eachPoint(RunView::interPacketDelay)),
                new ChartKind(
                        "lag-over-send-delay",
                        40,
                        "a run with a packet that arrived",
                        eachPoint(RunView::lagOverSendDelay)),
                new ChartKind("lag-over-time", 50, "a run with a packet that arrived", eachPoint(RunView::lagOverTime)),
                new ChartKind(
                        "buffer-occupancy",
                        60,
                        "runs that recorded it (observe: [timestamping])",
                        eachPoint(RunView::bufferOccupancy)),
                new ChartKind(
                        "over-packet-size", 80, "two packet sizes, and two values of an axis", PacketSizeChart::draw));
    }

    @Override
    public List<ReportChart> sections(ChartContext context) {
        return List.of(PacketSizeChart.section(context));
    }

    /** Draws the first run of each point. */
    private static ChartKind.Drawer eachPoint(RunDrawer drawer) {
        return (context, name) -> {
            List<Drawing> drawings = new ArrayList<>();
            for (PointSummary point : context.points()) {
                RunSummary shown = point.runs().get(0);
                try (JoinedRun run = context.open(shown.name())) {
                    Chart chart = drawer.draw(new RunView(context, point, shown, run, RunView.PRINTED_COLUMNS, false));
                    if (chart != null) {
                        drawings.add(new Drawing(name + "-" + context.names().fileName(point.point()), chart));
                    }
                }
            }
            return drawings;
        };
    }
}
