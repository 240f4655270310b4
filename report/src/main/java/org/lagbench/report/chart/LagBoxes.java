package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.statistics.BoxStatistics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Boxes.Box;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Panel;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.Figure.Drawing;
import org.lagbench.report.table.Warnings;

/** A box of the transmit lag for each packet size, with a panel for each network, on one logarithmic scale. */
final class LagBoxes {
    private static final double HEIGHT = 150;

    private LagBoxes() {}

    static List<Drawing> draw(FigureContext context, String name) throws LagbenchException {
        Map<PointSummary, BoxStatistics> statistics = new LinkedHashMap<>();
        for (PointSummary point : context.points()) {
            BoxStatistics box = BoxStatistics.of(context.lags(point));
            if (box.n() > 0) {
                statistics.put(point, box);
            }
        }
        return statistics.isEmpty() ? List.of() : List.of(new Drawing(name, chart(context, statistics)));
    }

    private static Chart chart(FigureContext context, Map<PointSummary, BoxStatistics> statistics) {
        Map<String, List<String>> categories = new LinkedHashMap<>();
        Map<String, List<Box>> boxes = new LinkedHashMap<>();
        statistics.forEach((point, box) -> {
            String network = context.names().network(point.point());
            List<Box> group = boxes.computeIfAbsent(network, title -> new ArrayList<>());
            group.add(box(context.names().full(point.point()), group.size() + 0.5, box));
            String loss = point.pooled().packets().lost() == 0 ? "" : ", " + Warnings.loss(point) + " % lost";
            categories
                    .computeIfAbsent(network, title -> new ArrayList<>())
                    .add(context.names().brief(point.point()) + loss);
        });
        List<Column> columns = new ArrayList<>();
        List<Panel> panels = new ArrayList<>();
        Fill fill = Fill.ofSeries(0);
        Mark q95 = Mark.of(Mark.Shape.DIAMOND);
        Mark q99 = Mark.of(Mark.Shape.TRIANGLE);
        Mark maximum = Mark.of(Mark.Shape.CROSS);
        boxes.forEach((network, group) -> {
            List<String> names = categories.getOrDefault(network, List.of());
            columns.add(new Column(network, Axis.categories("packet size (bytes)", names)));
            panels.add(new Panel(List.of(new Boxes(fill, List.of(q95, q99, maximum), group))));
        });
        double leastNs = statistics.values().stream()
                .mapToDouble(BoxStatistics::whiskerFromNs)
                .min()
                .orElse(0);
        double greatestNs = statistics.values().stream()
                .mapToDouble(BoxStatistics::maximumNs)
                .max()
                .orElse(0);
        List<String> notes = new ArrayList<>();
        notes.add(Notes.pooled(
                context, statistics.keySet(), statistics.values().stream().mapToLong(BoxStatistics::n), "box"));
        notes.add(
                "Whiskers reach to the farthest values within 1.5 interquartile ranges (Tukey); quantiles by estimator"
                        + " R-7.");
        LogarithmicAxis.addNote(notes, "Lags", leastNs);
        return new Chart(
                "Transmit lag by packet size",
                columns.size() == 1 ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(new Row(LogarithmicAxis.of("transmit lag", leastNs, greatestNs), HEIGHT, panels)),
                List.of(
                        new Entry("quartiles, median", fill),
                        new Entry("Q95", q95),
                        new Entry("Q99", q99),
                        new Entry("maximum", maximum)),
                notes);
    }

    private static Box box(String name, double x, BoxStatistics box) {
        return new Box(
                name,
                x,
                box.whiskerFromNs() / Units.NS_PER_US,
                box.lowerQuartileNs() / Units.NS_PER_US,
                box.medianNs() / Units.NS_PER_US,
                box.upperQuartileNs() / Units.NS_PER_US,
                box.whiskerToNs() / Units.NS_PER_US,
                List.of(
                        box.q95Ns() / Units.NS_PER_US,
                        box.q99Ns() / Units.NS_PER_US,
                        box.maximumNs() / Units.NS_PER_US));
    }
}
