package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.stage.QuantileComposition;
import org.lagbench.analysis.stage.Stage;
import org.lagbench.analysis.stage.StageFigures;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Bars;
import org.lagbench.report.plot.Bars.Bar;
import org.lagbench.report.plot.Bars.Part;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.Chart.Column;
import org.lagbench.report.plot.Chart.Entry;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Fill;
import org.lagbench.report.table.Numbers;

/**
 * What the lag is made of: for the median, Q95 and Q99 of each point a bar of the stages of the packets that had about
 * that lag. A drawing for each network, whose lags have one linear scale.
 */
final class StageStack {
    private static final String NAME = "stage-stack";

    static final Figure FIGURE = new Figure(
            NAME,
            "what the median, Q95 and Q99 of the transmit lag are made of, stage by stage",
            "runs that recorded it (observe: [stages])",
            StageStack::draw);

    private static final double HEIGHT = 150;
    private static final double ROOM = 1.06;
    private static final int MOST_PANELS = 6;
    private static final List<Stage> ALL_STAGES = List.of(Stage.values());

    private static List<Drawing> draw(FigureContext context) {
        List<Drawing> drawings = new ArrayList<>();
        context.byTransport().forEach((transport, points) -> {
            List<PointSummary> staged =
                    points.stream().filter(StageStack::isStaged).toList();
            for (int from = 0; from < staged.size(); from += MOST_PANELS) {
                List<PointSummary> part = staged.subList(from, Math.min(staged.size(), from + MOST_PANELS));
                String file = NAME + "-" + transport + (from == 0 ? "" : "-" + (from / MOST_PANELS + 1));
                drawings.add(new Drawing(file, chart(context, part, false)));
            }
        });
        return drawings;
    }

    private static boolean isStaged(PointSummary point) {
        return compositions(point).stream().anyMatch(composition -> composition.packets() > 0);
    }

    private static List<QuantileComposition> compositions(PointSummary point) {
        StageFigures stages = point.pooled().stages();
        return stages == null ? List.of() : List.copyOf(stages.compositions().values());
    }

    /** A drawing for each point whose bars are equally high, divided as the lag is. */
    static List<Chart> shares(FigureContext context) {
        return context.points().stream()
                .filter(StageStack::isStaged)
                .map(point -> chart(context, List.of(point), true))
                .toList();
    }

    private static double greatestSumNs(List<PointSummary> points) {
        return points.stream()
                .flatMap(point -> compositions(point).stream())
                .filter(composition -> composition.packets() > 0)
                .mapToDouble(QuantileComposition::sumNs)
                .max()
                .orElse(0);
    }

    private static Chart chart(FigureContext context, List<PointSummary> points, boolean isOfShares) {
        double most = greatestSumNs(points);
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        points.stream()
                .flatMap(point -> compositions(point).stream())
                .forEach(composition -> stages.addAll(composition.meanNs().keySet()));
        Map<Stage, Fill> fills = new LinkedHashMap<>();
        stages.forEach(stage -> fills.put(stage, Fill.ofSeries(ALL_STAGES.indexOf(stage))));
        TimeUnit unit = TimeUnit.forUpTo(most);
        List<Column> columns = new ArrayList<>();
        List<Panel> panels = new ArrayList<>();
        for (PointSummary point : points) {
            List<String> quantiles = new ArrayList<>();
            List<Bar> bars = new ArrayList<>();
            for (QuantileComposition composition : compositions(point)) {
                String quantile = composition.percent() == 50 ? "median" : "Q" + composition.percent();
                if (composition.packets() > 0) {
                    List<Part> parts = stages.stream()
                            .map(stage -> part(composition, stage, isOfShares ? null : unit))
                            .toList();
                    bars.add(new Bar(quantile, quantiles.size() + 0.5, parts));
                }
                quantiles.add(quantile + (isOfShares ? ", " + Numbers.usText(composition.lagNs()) + " µs" : ""));
            }
            columns.add(new Column(
                    isOfShares
                            ? context.names().full(point.point())
                            : context.names().withoutNetwork(point.point()),
                    Axis.categories("transmit lag at", quantiles)));
            panels.add(new Panel(List.of(new Bars(List.copyOf(fills.values()), bars))));
        }
        List<Entry> legend = new ArrayList<>();
        fills.forEach((stage, fill) -> legend.add(new Entry(stage.title().toLowerCase(Locale.ROOT), fill)));
        return new Chart(
                "What the lag is made of, " + points.get(0).point().transportTitle(),
                columns.size() == 1 ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(new Row(
                        isOfShares
                                ? Axis.linear("share of the lag (%)", 0, 100)
                                : Axis.linear(
                                        "time in each stage (" + unit.symbol() + ")",
                                        0,
                                        unit.of(Math.max(1, most * ROOM))),
                        HEIGHT,
                        panels)),
                legend,
                List.of(note(context, points)));
    }

    /** As high as the time, or as its share in per cent if there is no unit. */
    private static Part part(QuantileComposition composition, Stage stage, @Nullable TimeUnit unit) {
        double ns = composition.meanNs().getOrDefault(stage, 0.0);
        double percent = 100 * ns / composition.sumNs();
        String text = String.format(
                Locale.ROOT, "%s: %s µs, %.0f %%", stage.title().toLowerCase(Locale.ROOT), Numbers.usText(ns), percent);
        return new Part(unit == null ? percent : unit.of(ns), text);
    }

    private static String note(FigureContext context, List<PointSummary> points) {
        long packets = 0;
        long incomplete = 0;
        for (PointSummary point : points) {
            StageFigures stages = point.pooled().stages();
            packets += stages == null ? 0 : stages.packets();
            incomplete += stages == null ? 0 : stages.incomplete();
        }
        return context.session() + ": n = " + Notes.count(packets) + " packets in all, nothing removed"
                + (incomplete == 0
                        ? ". "
                        : "; " + Notes.count(incomplete) + " packets of which not every stamp is known are left out. ")
                + "Each bar is the mean of the packets whose lag is within "
                + QuantileComposition.BAND_PERMILLE / 10.0 + " % of that quantile. " + Notes.clocks(points);
    }
}
