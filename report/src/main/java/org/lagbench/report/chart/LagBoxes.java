package org.lagbench.report.chart;

import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.statistics.BoxStatistics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Entry;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.table.Warnings;

/** A box of the transmit lag for each packet size, with a panel for each network, on one logarithmic scale. */
final class LagBoxes {
    private static final double HEIGHT = 150;

    private static final double WIDTH = 0.5;
    private static final LineStyle EDGE = LineStyle.solid(PlotColor.INK, 0.6);
    private static final LineStyle MEDIAN = LineStyle.solid(PlotColor.INK, 1.4);

    private LagBoxes() {}

    static List<Drawing> draw(ChartContext context, String name) throws LagbenchException {
        Map<PointSummary, BoxStatistics> statistics = new LinkedHashMap<>();
        for (PointSummary point : context.points()) {
            BoxStatistics box = BoxStatistics.of(context.lags(point));
            if (box.n() > 0) {
                statistics.put(point, box);
            }
        }
        return statistics.isEmpty() ? List.of() : List.of(new Drawing(name, chart(context, statistics)));
    }

    private static Chart chart(ChartContext context, Map<PointSummary, BoxStatistics> statistics) {
        Map<String, List<String>> categories = new LinkedHashMap<>();
        Map<String, Map<String, BoxStatistics>> boxes = new LinkedHashMap<>();
        statistics.forEach((point, box) -> {
            String network = context.names().network(point.point());
            boxes.computeIfAbsent(network, title -> new LinkedHashMap<>())
                    .put(context.names().full(point.point()), box);
            String loss = point.pooled().packets().lost() == 0
                    ? ""
                    : ", " + Warnings.loss(point.pooled().lossForward()) + " % lost";
            categories
                    .computeIfAbsent(network, title -> new ArrayList<>())
                    .add(context.names().brief(point.point()) + loss);
        });
        List<Column> columns = new ArrayList<>();
        List<List<Layer>> panels = new ArrayList<>();
        Fill fill = Fill.ofSeries(0);
        Mark q95 = Mark.of(Mark.Shape.DIAMOND);
        Mark q99 = Mark.of(Mark.Shape.TRIANGLE);
        Mark maximum = Mark.of(Mark.Shape.CROSS);
        boxes.forEach((network, group) -> {
            List<String> names = categories.getOrDefault(network, List.of());
            columns.add(new Column(network, Axis.categories("packet size (bytes)", names)));
            panels.add(List.of(layer(fill, List.of(q95, q99, maximum), group)));
        });
        double minNs = statistics.values().stream()
                .mapToDouble(BoxStatistics::whiskerFromNs)
                .min()
                .orElse(0);
        double maxNs = statistics.values().stream()
                .mapToDouble(BoxStatistics::maximumNs)
                .max()
                .orElse(0);
        List<String> notes = new ArrayList<>();
        notes.add(Notes.pooled(
                context, statistics.keySet(), statistics.values().stream().mapToLong(BoxStatistics::n), "box"));
        notes.add(
                "Whiskers reach to the farthest values within 1.5 interquartile ranges (Tukey); quantiles by estimator"
                        + " R-7.");
        Axis.addNoteBelowMin(notes, "Lags", minNs);
        return new Chart(
                "Transmit lag by packet size",
                columns.size() == 1 ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(new Row(Axis.logarithmicUs("transmit lag", minNs, maxNs), HEIGHT, panels)),
                List.of(
                        new Entry("quartiles, median", fill),
                        new Entry("Q95", q95),
                        new Entry("Q99", q99),
                        new Entry("maximum", maximum)),
                notes);
    }

    /**
     * Returns box plots after Tukey, "Exploratory Data Analysis" (1977), by name: the box spans the quartiles with a
     * line at the median; whiskers reach to the farthest values within 1.5 times the box's height.
     *
     * @param marks the marks of Q95, Q99 and the maximum
     */
    private static Layer layer(Fill fill, List<Mark> marks, Map<String, BoxStatistics> boxes) {
        return (canvas, frame) -> {
            double x = 0;
            for (Map.Entry<String, BoxStatistics> named : boxes.entrySet()) {
                BoxStatistics box = named.getValue();
                canvas.begin("box", named.getKey());
                Rectangle2D quartiles = frame.rectangle(
                        x + (1 - WIDTH) / 2, us(box.lowerQuartileNs()), x + (1 + WIDTH) / 2, us(box.upperQuartileNs()));
                double middle = quartiles.getCenterX();
                double cap = quartiles.getWidth() / 4;
                double lower = frame.y(us(box.whiskerFromNs()));
                double upper = frame.y(us(box.whiskerToNs()));
                double median = frame.y(us(box.medianNs()));
                canvas.line(EDGE, middle, lower, middle, quartiles.getMaxY());
                canvas.line(EDGE, middle - cap, lower, middle + cap, lower);
                canvas.line(EDGE, middle, upper, middle, quartiles.getY());
                canvas.line(EDGE, middle - cap, upper, middle + cap, upper);
                fill.paint(canvas, quartiles);
                canvas.draw(EDGE, quartiles);
                canvas.line(MEDIAN, quartiles.getX(), median, quartiles.getMaxX(), median);
                double[] marked = {box.q95Ns(), box.q99Ns(), box.maximumNs()};
                for (int i = 0; i < marked.length; i++) {
                    marks.get(i).paint(canvas, middle, frame.y(us(marked[i])));
                }
                canvas.end();
                x++;
            }
        };
    }

    private static double us(double ns) {
        return ns / Units.NS_PER_US;
    }
}
