package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.lagbench.analysis.comparison.SizeCurves;
import org.lagbench.analysis.comparison.SizeCurves.Curve;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.core.run.Metric;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.table.Axes;
import org.lagbench.report.table.TableColumns;

/** A metric over the packet size with a line for each value of an axis, on logarithmic axes. */
final class PacketSizeChart {
    private static final double HEIGHT = 150;
    private static final int MAX_IN_REPORT = 24;

    private PacketSizeChart() {}

    static ReportChart section(ChartContext context) {
        String id = "over-packet-size";
        List<Chart> all = draw(context, id).stream().map(Drawing::chart).toList();
        return ReportChart.withoutZoom(
                id,
                "Over packet size",
                "A line for each value of an axis"
                        + (all.size() > MAX_IN_REPORT ? "; the first " + MAX_IN_REPORT + " charts are shown." : "."),
                all.subList(0, Math.min(all.size(), MAX_IN_REPORT)));
    }

    static List<Drawing> draw(ChartContext context, String name) {
        List<SizeCurves> all = SizeCurves.of(context.summary(), context.axis());
        List<Drawing> drawings = new ArrayList<>();
        for (SizeCurves curves : all) {
            String place = place(curves, all);
            String file =
                    String.join("-", name, curves.axis().name(), curves.metric().id(), place);
            Drawing.add(drawings, file, chart(context, curves, place));
        }
        return drawings;
    }

    /** Returns what distinguishes the place of some curves from that of the others of the axis. */
    private static String place(SizeCurves curves, List<SizeCurves> all) {
        String axis = curves.axis().name();
        List<MeasuredPoint> places = all.stream()
                .filter(others -> others.axis().name().equals(axis))
                .map(SizeCurves::place)
                .toList();
        TableColumns<MeasuredPoint> columns = Axes.of(places, axis);
        List<String> cells = columns.cells(curves.place());
        return String.join(
                ", ",
                IntStream.range(0, cells.size())
                        .filter(i -> !columns.columns().get(i).header().equals("Packet size"))
                        .mapToObj(cells::get)
                        .toList());
    }

    private static Chart chart(ChartContext context, SizeCurves curves, String place) {
        Metric<?> metric = curves.metric();
        String quantity = metric.title() + ", " + metric.statistic().toLowerCase(Locale.ROOT);
        Curves panel = new Curves();
        DoubleSummaryStatistics sizes = new DoubleSummaryStatistics();
        boolean hasInterval = false;
        for (Curve curve : curves.curves()) {
            int series = panel.legend().size() + context.seriesCount(); // other colors than those of the series
            String label = label(curves, curve);
            List<Map.Entry<Integer, Interval>> intervals = curve.bySize().entrySet().stream()
                    .filter(size -> size.getValue().hasEnds())
                    .toList();
            hasInterval |= !intervals.isEmpty();
            double[] x = curve.bySize().keySet().stream()
                    .mapToDouble(Integer::doubleValue)
                    .toArray();
            double[] y = curve.bySize().values().stream()
                    .mapToDouble(Interval::value)
                    .toArray();
            double[] low = intervals.stream()
                    .mapToDouble(size -> size.getValue().low())
                    .toArray();
            double[] high = intervals.stream()
                    .mapToDouble(size -> size.getValue().high())
                    .toArray();
            double[] barX =
                    intervals.stream().mapToDouble(size -> size.getKey()).toArray();
            panel.bars(label + ", interval", series, barX, low, high).add(label, series, x, y);
            DoubleStream.of(x).forEach(sizes);
        }
        return new Chart(
                quantity + ", over packet size" + (place.isEmpty() ? "" : ", " + place),
                Chart.ONE_COLUMN,
                Axis.decades("packet size (bytes)", sizes.getMin(), sizes.getMax()),
                List.of(Row.of(
                        Axis.decades(
                                quantity.toLowerCase(Locale.ROOT) + " (" + metric.unit() + ")",
                                panel.range().getMin(),
                                panel.range().getMax()),
                        HEIGHT,
                        panel.layers())),
                panel.legend(),
                List.of(note(context, hasInterval)
                        + (metric.needsCommonClock() ? " " + Notes.clocksWithoutMarks(context.points()) : "")));
    }

    /** Returns the axis's value, with the settings of the engine if other curves have the same value. */
    private static String label(SizeCurves curves, Curve curve) {
        TableColumns<MeasuredPoint> axis = Axes.column(curves.axis().name());
        List<String> value = axis.cells(curve.point());
        long same = curves.curves().stream()
                .filter(other -> axis.cells(other.point()).equals(value))
                .count();
        return same == 1
                ? value.get(0)
                : value.get(0)
                        + curve.point().engineSettings().stream()
                                .sorted()
                                .map(name -> ", " + name + " "
                                        + curve.point().settings().get(name))
                                .collect(Collectors.joining());
    }

    private static String note(ChartContext context, boolean hasInterval) {
        return context.session() + ": medians over the repeats. "
                + (hasInterval
                        ? "Bars: 95 % intervals by order statistics of the repeats."
                        : "There are too few repeats for an interval.");
    }
}
