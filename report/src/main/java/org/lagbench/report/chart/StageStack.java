package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.stage.Stage;
import org.lagbench.analysis.stage.StageMetrics;
import org.lagbench.analysis.stage.StageMetrics.QuantileComposition;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.PointNames;
import org.lagbench.report.table.TimeScale;

/**
 * The composition of the lag: a bar for the median, Q95 and Q99 of each point, made of the stages of the packets with
 * about that lag. Each network has a drawing with one linear scale.
 */
final class StageStack {
    private static final double HEIGHT = 150;
    private static final double HEADROOM = 1.06;
    private static final int MAX_PANELS = 6;
    private static final List<Stage> ALL_STAGES = List.of(Stage.values());

    private static final double BAR_WIDTH = 0.6;
    private static final LineStyle EDGE = LineStyle.solid(PlotColor.INK, 0.4);

    /**
     * A part of a bar.
     *
     * @param height in the unit of the axis
     * @param text its tooltip
     */
    record Part(double height, String text) {}

    /**
     * One bar.
     *
     * @param x the bar's center
     * @param parts the stacked parts, the lowest first
     */
    record Bar(String name, double x, List<Part> parts) {}

    private StageStack() {}

    static List<Drawing> draw(ChartContext context, String name) {
        List<Drawing> drawings = new ArrayList<>();
        context.byTransport().forEach((transport, points) -> {
            List<PointSummary> staged =
                    points.stream().filter(StageStack::hasStages).toList();
            for (int from = 0; from < staged.size(); from += MAX_PANELS) {
                List<PointSummary> part = staged.subList(from, Math.min(staged.size(), from + MAX_PANELS));
                String file =
                        name + "-" + PointNames.filePart(transport) + (from == 0 ? "" : "-" + (from / MAX_PANELS + 1));
                drawings.add(new Drawing(file, chart(context, part, false)));
            }
        });
        return drawings;
    }

    /** Returns a drawing for each point, with bars of one height that show shares of the lag. */
    static List<Chart> shares(ChartContext context) {
        return context.points().stream()
                .filter(StageStack::hasStages)
                .map(point -> chart(context, List.of(point), true))
                .toList();
    }

    private static boolean hasStages(PointSummary point) {
        return compositions(point).stream().anyMatch(composition -> composition.packets() > 0);
    }

    private static List<QuantileComposition> compositions(PointSummary point) {
        StageMetrics stages = point.pooled().get(MetricGroup.STAGES);
        return stages == null ? List.of() : List.copyOf(stages.compositions().values());
    }

    private static Chart chart(ChartContext context, List<PointSummary> points, boolean isOfShares) {
        List<QuantileComposition> all =
                points.stream().flatMap(point -> compositions(point).stream()).toList();
        double maxNs = all.stream()
                .filter(composition -> composition.packets() > 0)
                .mapToDouble(QuantileComposition::sumNs)
                .max()
                .orElse(0);
        Map<Stage, Fill> fills = new EnumMap<>(Stage.class);
        all.forEach(composition -> composition
                .meanNs()
                .keySet()
                .forEach(stage -> fills.put(stage, Fill.ofSeries(ALL_STAGES.indexOf(stage)))));
        TimeScale unit = TimeScale.forUpTo(maxNs);
        List<Column> columns = new ArrayList<>();
        List<List<Layer>> panels = new ArrayList<>();
        for (PointSummary point : points) {
            List<String> quantiles = new ArrayList<>();
            List<Bar> bars = new ArrayList<>();
            for (QuantileComposition composition : compositions(point)) {
                String quantile = composition.percent() == 50 ? "median" : "Q" + composition.percent();
                if (composition.packets() > 0) {
                    List<Part> parts = fills.keySet().stream()
                            .map(stage -> part(composition, stage, isOfShares ? null : unit))
                            .toList();
                    bars.add(new Bar(quantile, quantiles.size() + 0.5, parts));
                }
                quantiles.add(quantile + (isOfShares ? ", " + Numbers.duration(composition.lagNs()) : ""));
            }
            columns.add(new Column(
                    isOfShares
                            ? context.names().full(point.point())
                            : context.names().withoutNetwork(point.point()),
                    Axis.categories("transmit lag at", quantiles)));
            panels.add(List.of(layer(List.copyOf(fills.values()), bars)));
        }
        List<Entry> legend = new ArrayList<>();
        fills.forEach((stage, fill) -> legend.add(new Entry(stage.title().toLowerCase(Locale.ROOT), fill)));
        Axis axis = isOfShares
                ? Axis.linear("share of the lag (%)", 0, 100)
                : Axis.linear("time in each stage (" + unit.symbol() + ")", 0, unit.of(Math.max(1, maxNs * HEADROOM)));
        return new Chart(
                "Composition of the lag, "
                        + context.names().network(points.get(0).point()),
                columns.size() == 1 ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(new Row(axis, HEIGHT, panels)),
                legend,
                List.of(note(context, points, isOfShares)));
    }

    /** Returns a part of a bar, as high as the stage's time; without a unit, as its percentage. */
    private static Part part(QuantileComposition composition, Stage stage, @Nullable TimeScale unit) {
        double ns = composition.meanNs().getOrDefault(stage, 0.0);
        double percent = 100 * ns / composition.sumNs();
        String text = stage.title().toLowerCase(Locale.ROOT) + ": " + Numbers.duration(ns) + ", "
                + Numbers.fixed(0, percent) + " %";
        return new Part(unit == null ? percent : unit.of(ns), text);
    }

    private static String note(ChartContext context, List<PointSummary> points, boolean isInPage) {
        List<StageMetrics> stages = points.stream()
                .map(point -> point.pooled().get(MetricGroup.STAGES))
                .filter(Objects::nonNull)
                .toList();
        long incomplete = stages.stream().mapToLong(StageMetrics::incomplete).sum();
        return context.session() + ": n = "
                + Numbers.grouped(
                        stages.stream().mapToLong(StageMetrics::packets).sum())
                + " packets in all, nothing removed"
                + (incomplete == 0
                        ? ". "
                        : "; " + Numbers.grouped(incomplete) + " packets without one of the stamps are left out. ")
                + "Each bar is the mean of the packets whose lag is within "
                + QuantileComposition.BAND_PERMILLE / 10.0 + " % of that quantile. "
                + (isInPage ? Notes.clocksWithoutMarks(points) : Notes.clocks(points));
    }

    /**
     * Returns stacked bars.
     *
     * @param fills one for each part of a bar, from bottom to top
     */
    static Layer layer(List<Fill> fills, List<Bar> bars) {
        return (canvas, frame) -> {
            for (Bar bar : bars) {
                canvas.begin("bar", bar.name());
                double bottom = 0;
                for (int i = 0; i < bar.parts().size(); i++) {
                    Part part = bar.parts().get(i);
                    double top = bottom + part.height();
                    Rectangle2D area = frame.rectangle(bar.x() - BAR_WIDTH / 2, bottom, bar.x() + BAR_WIDTH / 2, top);
                    canvas.begin("part", bar.name());
                    canvas.values(() -> part.text().replaceFirst(": ", "="));
                    canvas.title(part.text());
                    fills.get(i).paint(canvas, area);
                    canvas.draw(EDGE, area);
                    canvas.end();
                    bottom = top;
                }
                canvas.end();
            }
        };
    }
}
