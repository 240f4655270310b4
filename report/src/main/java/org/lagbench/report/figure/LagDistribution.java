package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
final class LagDistribution implements Figure {
    private static final double HEIGHT = 105;
    private static final double NS_PER_US = 1e3;
    private static final double LEAST_NS = 10;
    private static final int MOST_CURVES = 7;

    @Override
    public String name() {
        return "lag-distribution";
    }

    @Override
    public String description() {
        return "cumulative and complementary distribution of the transmit lag, on logarithmic axes";
    }

    @Override
    public String needs() {
        return "a packet that came";
    }

    @Override
    public List<Drawing> of(Material material) throws LagbenchException {
        Map<PointSummary, Distribution> distributions = new LinkedHashMap<>();
        for (PointSummary point : material.points()) {
            Distribution distribution = Distribution.of(material.lags(point));
            if (distribution.n() > 0) {
                distributions.put(point, distribution);
            }
        }
        // so many curves in a panel that they can be told apart; the others are in a further drawing
        List<List<PointSummary>> parts = new ArrayList<>();
        for (List<PointSummary> points : material.byTransport().values()) {
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
            String file = part == 0 ? name() : name() + "-" + (part + 1);
            drawings.add(new Drawing(file, chart(material, parts.get(part), distributions)));
        }
        return drawings;
    }

    private static Chart chart(
            Material material, List<PointSummary> points, Map<PointSummary, Distribution> distributions) {
        Map<String, List<PointSummary>> byTransport = new LinkedHashMap<>();
        points.forEach(point -> byTransport
                .computeIfAbsent(point.point().transportTitle(), title -> new ArrayList<>())
                .add(point));
        Map<String, LineStyle> styles = new LinkedHashMap<>();
        for (PointSummary point : points) {
            styles.computeIfAbsent(
                    material.names().withoutNetwork(point.point()), label -> LineStyle.ofSeries(styles.size()));
        }
        Axis lag = lagAxis(points, distributions);
        long most = points.stream()
                .mapToLong(point -> of(distributions, point).n())
                .max()
                .orElse(1);
        List<Column> columns = new ArrayList<>();
        List<Panel> cumulative = new ArrayList<>();
        List<Panel> complementary = new ArrayList<>();
        byTransport.forEach((title, group) -> {
            columns.add(new Column(title, lag));
            List<Layer> below = new ArrayList<>();
            List<Layer> above = new ArrayList<>();
            for (PointSummary point : group) {
                Distribution distribution = of(distributions, point);
                String label = material.names().withoutNetwork(point.point());
                LineStyle style = styles.getOrDefault(label, LineStyle.ofSeries(0));
                below.add(cumulative(label, style, distribution));
                above.add(complementary(label, style, distribution));
            }
            cumulative.add(new Panel(below));
            complementary.add(new Panel(above));
        });
        List<Entry> legend = new ArrayList<>();
        styles.forEach((label, style) -> legend.add(new Entry(label, style)));
        return new Chart(
                "Distribution of the transmit lag",
                columns.size() == 1 ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(
                        new Row(Axis.linear("fraction of packets ≤ lag", 0, 1), HEIGHT, cumulative),
                        new Row(
                                Axis.decades("fraction of packets ≥ lag", 1.0 / (double) most, 1),
                                HEIGHT,
                                complementary)),
                legend,
                notes(material, points, distributions));
    }

    /** P(lag ≤ x): steps up at each value. */
    private static Line cumulative(String label, LineStyle style, Distribution distribution) {
        double[] x = new double[2 * distribution.size()];
        double[] y = new double[x.length];
        for (int i = 0; i < distribution.size(); i++) {
            x[2 * i] = (double) distribution.valueNs(i) / NS_PER_US;
            y[2 * i] = i == 0 ? 0 : distribution.atOrBelow(i - 1);
            x[2 * i + 1] = x[2 * i];
            y[2 * i + 1] = distribution.atOrBelow(i);
        }
        return Line.through(label, style, x, y);
    }

    /** P(lag ≥ x): steps down after each value. */
    private static Line complementary(String label, LineStyle style, Distribution distribution) {
        double[] x = new double[2 * distribution.size() - 1];
        double[] y = new double[x.length];
        for (int i = 0; i < distribution.size(); i++) {
            x[2 * i] = (double) distribution.valueNs(i) / NS_PER_US;
            y[2 * i] = distribution.atOrAbove(i);
            if (i + 1 < distribution.size()) {
                x[2 * i + 1] = x[2 * i];
                y[2 * i + 1] = distribution.atOrAbove(i + 1);
            }
        }
        return Line.through(label, style, x, y);
    }

    private static Axis lagAxis(List<PointSummary> points, Map<PointSummary, Distribution> distributions) {
        double least = Double.MAX_VALUE;
        double greatest = 0;
        for (PointSummary point : points) {
            Distribution distribution = of(distributions, point);
            least = Math.min(least, (double) distribution.valueNs(0));
            greatest = Math.max(greatest, (double) distribution.valueNs(distribution.size() - 1));
        }
        double fromNs = Math.max(LEAST_NS, least);
        return Axis.decades("transmit lag (µs)", fromNs / NS_PER_US, Math.max(fromNs, greatest) / NS_PER_US);
    }

    private static List<String> notes(
            Material material, List<PointSummary> points, Map<PointSummary, Distribution> distributions) {
        long least = points.stream()
                .mapToLong(point -> of(distributions, point).n())
                .min()
                .orElse(0);
        long most = points.stream()
                .mapToLong(point -> of(distributions, point).n())
                .max()
                .orElse(0);
        long lost = points.stream()
                .mapToLong(point -> point.pooled().packets().lost())
                .sum();
        List<String> notes = new ArrayList<>();
        notes.add(material.session() + ": n = "
                + (least == most ? Notes.count(most) : Notes.count(least) + " to " + Notes.count(most))
                + " packets a curve, repeats pooled, nothing removed." + Notes.lost(lost) + " "
                + Notes.clocks(points));
        boolean below =
                points.stream().anyMatch(point -> of(distributions, point).valueNs(0) < LEAST_NS);
        if (below) {
            notes.add("Lags below " + LEAST_NS / NS_PER_US + " µs are drawn at that value.");
        }
        return notes;
    }

    private static Distribution of(Map<PointSummary, Distribution> distributions, PointSummary point) {
        Distribution distribution = distributions.get(point);
        if (distribution == null) {
            throw new IllegalArgumentException("no distribution of " + point.point());
        }
        return distribution;
    }
}
