package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.Chart.Column;
import org.lagbench.report.plot.Chart.Entry;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Layer;
import org.lagbench.report.plot.Line;
import org.lagbench.report.plot.LineStyle;

/**
 * The empirical distribution of the transmit lag, cumulative above and complementary below, a column of panels for each
 * network. The complementary one is on logarithmic axes down to the single packet, where the tail can be seen.
 */
final class LagDistribution {
    private static final String NAME = "lag-distribution";

    static final Figure FIGURE = new Figure(
            NAME,
            "cumulative and complementary distribution of the transmit lag, on logarithmic axes",
            "a packet that came",
            LagDistribution::draw);

    static final String COMPLEMENTARY = "fraction of packets ≥ lag";

    private static final double HEIGHT = 105;
    private static final double NS_PER_US = 1e3;
    private static final double LEAST_NS = 10;
    private static final int MOST_CURVES = 7;

    private static List<Drawing> draw(FigureContext context) throws LagbenchException {
        Map<PointSummary, Distribution> distributions = new LinkedHashMap<>();
        for (PointSummary point : context.points()) {
            Distribution distribution = Distribution.of(context.lags(point));
            if (distribution.n() > 0) {
                distributions.put(point, distribution);
            }
        }
        // so many curves in a panel that they can be told apart; the others are in a further drawing
        List<List<PointSummary>> parts = new ArrayList<>();
        for (List<PointSummary> points : context.byTransport().values()) {
            List<PointSummary> drawn =
                    points.stream().filter(distributions::containsKey).toList();
            for (int i = 0; i < drawn.size(); i++) {
                int part = i / MOST_CURVES;
                if (part == parts.size()) {
                    parts.add(new ArrayList<>());
                }
                parts.get(part).add(drawn.get(i));
            }
        }
        List<Drawing> drawings = new ArrayList<>();
        for (int part = 0; part < parts.size(); part++) {
            String file = part == 0 ? NAME : NAME + "-" + (part + 1);
            drawings.add(new Drawing(file, chart(context, parts.get(part), distributions)));
        }
        return drawings;
    }

    /**
     * One curve.
     *
     * @param column the title of its panels
     * @param label what tells it from others in them
     */
    record LabeledDistribution(String column, String label, LineStyle style, Distribution distribution) {}

    private static Chart chart(
            FigureContext context, List<PointSummary> points, Map<PointSummary, Distribution> distributions) {
        Map<String, LineStyle> styles = new LinkedHashMap<>();
        List<LabeledDistribution> curves = new ArrayList<>();
        for (PointSummary point : points) {
            String label = context.names().withoutNetwork(point.point());
            LineStyle style = styles.computeIfAbsent(label, another -> LineStyle.ofSeries(styles.size()));
            Distribution distribution = Objects.requireNonNull(distributions.get(point));
            curves.add(new LabeledDistribution(point.point().transportTitle(), label, style, distribution));
        }
        List<Entry> legend = new ArrayList<>();
        styles.forEach((label, style) -> legend.add(new Entry(label, style)));
        return chart(curves, HEIGHT, legend, notes(context, points, curves));
    }

    /** Draws curves that have at least one value each. */
    static Chart chart(List<LabeledDistribution> curves, double height, List<Entry> legend, List<String> notes) {
        Axis lag = lagAxis(curves);
        Map<String, List<LabeledDistribution>> byColumn = new LinkedHashMap<>();
        curves.forEach(curve -> byColumn.computeIfAbsent(curve.column(), title -> new ArrayList<>())
                .add(curve));
        List<Column> columns = new ArrayList<>();
        List<Panel> cumulative = new ArrayList<>();
        List<Panel> complementary = new ArrayList<>();
        byColumn.forEach((title, group) -> {
            columns.add(new Column(title, lag));
            cumulative.add(
                    new Panel(group.stream().map(LagDistribution::cumulative).toList()));
            complementary.add(
                    new Panel(group.stream().map(LagDistribution::complementary).toList()));
        });
        double most = curves.stream()
                .mapToDouble(curve -> (double) curve.distribution().n())
                .max()
                .orElse(1);
        return new Chart(
                "Distribution of the transmit lag",
                columns.size() == 1 && !legend.isEmpty() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(
                        new Row(Axis.linear("fraction of packets ≤ lag", 0, 1), height, cumulative),
                        new Row(Axis.decades(COMPLEMENTARY, 1.0 / most, 1), height, complementary)),
                legend,
                notes);
    }

    /** P(lag ≤ x): steps up at each value. */
    private static Layer cumulative(LabeledDistribution curve) {
        return Line.stepsTo(curve.label(), curve.style(), us(curve), values(curve, Distribution::atOrBelow));
    }

    /** P(lag ≥ x): steps down after each value. */
    private static Layer complementary(LabeledDistribution curve) {
        return Line.stepsFrom(curve.label(), curve.style(), us(curve), values(curve, Distribution::atOrAbove));
    }

    private static double[] us(LabeledDistribution curve) {
        return values(curve, (distribution, i) -> (double) distribution.valueNs(i) / NS_PER_US);
    }

    private static double[] values(LabeledDistribution curve, ToDoubleBiFunction<Distribution, Integer> value) {
        return IntStream.range(0, curve.distribution().size())
                .mapToDouble(i -> value.applyAsDouble(curve.distribution(), i))
                .toArray();
    }

    private static Axis lagAxis(List<LabeledDistribution> curves) {
        double least = curves.stream()
                .mapToDouble(curve -> (double) curve.distribution().valueNs(0))
                .min()
                .orElse(LEAST_NS);
        double greatest = curves.stream()
                .map(LabeledDistribution::distribution)
                .mapToDouble(distribution -> (double) distribution.valueNs(distribution.size() - 1))
                .max()
                .orElse(LEAST_NS);
        double fromNs = Math.max(LEAST_NS, least);
        return Axis.decades("transmit lag (µs)", fromNs / NS_PER_US, Math.max(fromNs, greatest) / NS_PER_US);
    }

    private static List<String> notes(
            FigureContext context, List<PointSummary> points, List<LabeledDistribution> curves) {
        LongSummaryStatistics packets =
                curves.stream().mapToLong(curve -> curve.distribution().n()).summaryStatistics();
        List<String> notes = new ArrayList<>();
        notes.add(context.session() + ": n = " + Notes.range(packets)
                + " packets a curve, repeats pooled, nothing removed."
                + Notes.lost(points.stream()
                        .mapToLong(point -> point.pooled().packets().lost())
                        .sum())
                + " " + Notes.clocks(points));
        if (curves.stream().anyMatch(curve -> curve.distribution().valueNs(0) < LEAST_NS)) {
            notes.add("Lags below " + LEAST_NS / NS_PER_US + " µs are drawn at that value.");
        }
        return notes;
    }
}
