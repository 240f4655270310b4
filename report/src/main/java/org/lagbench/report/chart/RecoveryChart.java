package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Recovery;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.table.Axes;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;

/**
 * The residual loss over the effective latency, on logarithmic axes, with a line through the latencies of a transport.
 * Those without a latency that is set are not drawn.
 */
public final class RecoveryChart implements ChartKind.Source {
    private static final double HEIGHT = 150;
    private static final double PERCENT = 100;

    /** The axis begins and ends this factor outside the latencies. */
    private static final double MARGIN = 1.3;

    private static final ChartKind KIND = new ChartKind(
            "loss-over-latency", 90, "two latencies of a transport that repairs losses", RecoveryChart::draw);

    @Override
    public List<ChartKind> kinds() {
        return List.of(KIND);
    }

    @Override
    public List<ReportChart> sections(ChartContext context) throws LagbenchException {
        return List.of(ReportChart.withoutZoom(
                KIND.name(),
                "Residual loss over latency",
                "What is lost after the repairs, over the smallest lag of a connection.",
                KIND.charts(context)));
    }

    private static List<Drawing> draw(ChartContext context, String name) {
        Map<String, List<Recovery>> curves = curves(context.points());
        boolean hasLatencies = curves.values().stream().anyMatch(curve -> curve.size() > 1);
        DoubleSummaryStatistics losses = curves.values().stream()
                .flatMap(List::stream)
                .map(Recovery::loss)
                .flatMapToDouble(loss -> DoubleStream.of(loss.share(), loss.low(), loss.high()))
                .filter(share -> share > 0)
                .summaryStatistics();
        return hasLatencies && losses.getCount() > 0
                ? List.of(new Drawing(name, chart(context, curves, losses)))
                : List.of();
    }

    /** Returns the points of each curve in the order of their latencies, by its name. */
    private static Map<String, List<Recovery>> curves(List<PointSummary> points) {
        Transports transports = Transports.load();
        List<PointSummary> drawn = points.stream()
                .filter(point -> {
                    Recovery recovery = point.pooled().get(MetricGroup.RECOVERY);
                    return recovery != null && recovery.effectiveLatencyNs() > 0;
                })
                .toList();
        List<MeasuredPoint> all = drawn.stream().map(PointSummary::point).toList();
        Map<String, List<Recovery>> curves = new LinkedHashMap<>();
        for (PointSummary point : drawn) {
            String hold = transports
                    .find(point.point().transport())
                    .map(Transport::holdSetting)
                    .orElse(null);
            curves.computeIfAbsent(name(all, point.point(), hold), one -> new ArrayList<>())
                    .add(point.pooled().require(MetricGroup.RECOVERY));
        }
        curves.values().forEach(curve -> curve.sort((a, b) -> Double.compare(latencyMs(a), latencyMs(b))));
        return curves;
    }

    /** Returns the transport, and what distinguishes a point from the others of it, but for its latency. */
    private static String name(List<MeasuredPoint> all, MeasuredPoint point, @Nullable String hold) {
        List<MeasuredPoint> same = all.stream()
                .filter(other -> other.transport().equals(point.transport()))
                .toList();
        TableColumns<MeasuredPoint> columns = Axes.of(same);
        StringBuilder name = new StringBuilder(point.transportTitle());
        for (int i = 0; i < columns.columns().size(); i++) {
            Table.Column column = columns.columns().get(i);
            String cell = columns.cells(point).get(i);
            int place = i;
            boolean isVaried = same.stream()
                    .anyMatch(other -> !columns.cells(other).get(place).equals(cell));
            boolean isLatency = hold != null && column.header().equalsIgnoreCase(SettingText.name(hold));
            if (isVaried && !isLatency && !cell.equals(Numbers.NONE)) {
                name.append(", ").append(cell).append(column.unit().isEmpty() ? "" : " " + column.unit());
            }
        }
        return name.toString();
    }

    private static Chart chart(
            ChartContext context, Map<String, List<Recovery>> curves, DoubleSummaryStatistics losses) {
        Curves panel = new Curves();
        curves.forEach((name, curve) -> {
            int series = panel.legend().size();
            List<Recovery> known = curve.stream()
                    .filter(point -> !Double.isNaN(point.loss().low()))
                    .toList();
            panel.bars(
                            name + ", interval",
                            series,
                            values(known, RecoveryChart::latencyMs),
                            values(known, point -> percent(point.loss().low())),
                            values(known, point -> percent(point.loss().high())))
                    .add(
                            name,
                            series,
                            values(curve, RecoveryChart::latencyMs),
                            values(curve, point -> percent(point.loss().share())));
        });
        DoubleSummaryStatistics latencies = curves.values().stream()
                .flatMap(List::stream)
                .mapToDouble(RecoveryChart::latencyMs)
                .summaryStatistics();
        return new Chart(
                "Residual loss over latency",
                Chart.ONE_COLUMN,
                Axis.logarithmic("effective latency (ms)", latencies.getMin() / MARGIN, latencies.getMax() * MARGIN),
                List.of(Chart.Row.of(
                        Axis.decades("residual loss (%)", percent(losses.getMin()), percent(losses.getMax())),
                        HEIGHT,
                        panel.layers())),
                panel.legend(),
                List.of(context.session()
                        + ": effective latency is the smallest lag of a connection, where a latency is"
                        + " set; bars are 95 % intervals over 6 runs or more. A loss of 0 is drawn at the lower end."));
    }

    private static double[] values(List<Recovery> curve, ToDoubleFunction<Recovery> value) {
        return curve.stream().mapToDouble(value).toArray();
    }

    private static double latencyMs(Recovery point) {
        return point.effectiveLatencyNs() / Units.NS_PER_MS;
    }

    private static double percent(double share) {
        return PERCENT * share;
    }
}
