package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.ReportChart.PageDrawing;
import org.lagbench.report.chart.RunView.RunDrawer;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;
import org.lagbench.report.table.Warnings;

/**
 * The charts of a session's report: those of every run, with zoom.
 *
 * <p>The curves of all runs together have at most about {@value #MAX_POINTS} points, so that a report stays below 8 MB
 * besides its tables for any number of packets.
 */
public final class ReportCharts {
    private static final int MAX_POINTS = 400_000;
    private static final int POINTS_PER_COLUMN = 4;
    private static final int CURVES_PER_RUN = 7;
    private static final int MAX_COLUMNS = 2_000;

    /** The minimum number of columns of a thinned curve, for any number of runs: the pixels of a narrow screen. */
    private static final int MIN_COLUMNS = 60;

    private static final double DISTRIBUTION_HEIGHT = 200;

    /** The percentages of packets, as text so that they are shown unchanged. */
    private static final List<String> QUANTILES = List.of("50", "90", "95", "99", "99.9", "99.99", "99.999", "100");

    private final ChartContext context;
    private final Map<RunDrawer, Map<Integer, Chart>> runCharts = new LinkedHashMap<>();
    private final List<LabeledDistribution> distributions = new ArrayList<>();
    private final List<String> runTitles = new ArrayList<>();
    private final Map<String, String> titlesByName = new LinkedHashMap<>();
    private final List<ReportChart> charts = new ArrayList<>();

    private ReportCharts(ChartContext context) {
        this.context = context;
    }

    /**
     * Draws all runs of the summary, one at a time.
     *
     * @return the charts for which the session has data, in the order of the page
     * @throws LagbenchException if the captures cannot be read
     */
    public static List<ReportChart> of(ChartContext context) throws LagbenchException {
        return new ReportCharts(context).draw();
    }

    private List<ReportChart> draw() throws LagbenchException {
        RunDrawer lag = RunView::lagOverTime;
        RunDrawer delays = RunView::interPacketDelay;
        RunDrawer occupancy = RunView::bufferOccupancy;
        List.of(lag, delays, occupancy).forEach(drawer -> runCharts.put(drawer, new TreeMap<>()));
        drawRuns();
        addDistribution();
        add(
                "over-time",
                "Lag over time",
                "Each packet over the time at which it was sent; below, recorded events that may delay packets, at most"
                        + " the 400 longest of a run.",
                lag);
        add(
                "delays",
                "Inter-packet delay",
                "The time between consecutive stamps of one side, which needs no common clock.",
                delays);
        add(
                "occupancy",
                "Fill level of the buffers",
                "Bytes in a buffer of the kernel, sampled during the run.",
                occupancy);
        for (ChartKind.Source source : ChartKinds.load().sources()) {
            source.sections(context).forEach(this::add);
        }
        return charts;
    }

    private void drawRuns() throws LagbenchException {
        int runs =
                context.points().stream().mapToInt(point -> point.runs().size()).sum();
        int affordable = MAX_POINTS / POINTS_PER_COLUMN / CURVES_PER_RUN / Math.max(1, runs);
        int columns = Math.max(MIN_COLUMNS, Math.min(MAX_COLUMNS, affordable));
        for (PointSummary point : context.points()) {
            for (RunSummary summary : point.runs()) {
                try (JoinedRun run = context.open(summary.name())) {
                    RunView view = new RunView(context, point, summary, run, columns, true);
                    for (Map.Entry<RunDrawer, Map<Integer, Chart>> charts : runCharts.entrySet()) {
                        Chart chart = charts.getKey().draw(view);
                        if (chart != null) {
                            charts.getValue().put(runTitles.size(), chart);
                        }
                    }
                    Distribution lags = Distribution.of(consumer -> PacketDelay.TRANSMIT_LAG.forEach(run, consumer));
                    if (lags.n() > 0) {
                        distributions.add(LabeledDistribution.of(
                                context.names().network(point.point()), summary.name(), run, lags));
                    }
                    String title = view.pointName() + ", run " + summary.repeat();
                    boolean isLossy = summary.metrics().loss().lost() > 0;
                    runTitles.add(
                            isLossy
                                    ? title + ", "
                                            + Warnings.loss(summary.metrics().loss()) + " % lost"
                                    : title);
                    titlesByName.put(summary.name(), title);
                }
            }
        }
    }

    private void add(String id, String title, String caption, RunDrawer drawer) {
        Map<Integer, Chart> drawn = runCharts.getOrDefault(drawer, Map.of());
        List<PageDrawing> drawings = new ArrayList<>();
        drawn.forEach((run, chart) ->
                drawings.add(new PageDrawing(run, runTitles.get(run), ReportChart.zoomable(chart), chart.notes())));
        add(new ReportChart(id, title, caption, true, null, drawings, null));
    }

    /**
     * Returns the charts of all points, which precede all tables: first the one that answers the session's question.
     */
    public static List<ReportChart> overviews(ChartContext context) {
        ReportCharts made = new ReportCharts(context);
        made.add(PointRowChart.inReport(
                "overview",
                "Overview",
                Overview.caption(context),
                Overview.points(context),
                isNarrow -> Overview.chart(context, isNarrow)));
        ChartKinds.load().sources().forEach(source -> source.overviews(context).forEach(made::add));
        return made.charts;
    }

    /** Adds a chart with the distribution of the lags of each run. */
    private void addDistribution() {
        List<PageDrawing> drawings = new ArrayList<>();
        distributions.stream()
                .collect(Collectors.groupingBy(LabeledDistribution::column, LinkedHashMap::new, Collectors.toList()))
                .forEach((network, curves) -> {
                    Chart chart = LagDistribution.chart(curves, DISTRIBUTION_HEIGHT, List.of(), List.of());
                    drawings.add(new PageDrawing(null, network, ReportChart.zoomable(chart), List.of()));
                });
        add(new ReportChart(
                "distribution",
                "Distribution of lags",
                "The share of the packets that arrived with that lag or more, on logarithmic axes, or with that lag or"
                        + " less. Lost packets are in no curve and no row of the table.",
                true,
                LagDistribution.COMPLEMENTARY,
                drawings,
                quantiles()));
    }

    private Table quantiles() {
        TableColumns<LabeledDistribution> columns = new TableColumns<LabeledDistribution>()
                .text("Run", curve -> titlesByName.getOrDefault(curve.label(), curve.label()));
        for (String percent : QUANTILES) {
            columns.number(
                    percent.equals("100") ? "all within" : percent + " % within",
                    "µs",
                    curve -> quantile(curve.distribution(), Double.parseDouble(percent) / 100));
        }
        return columns.table("Distribution of lags, of the packets that arrived", distributions);
    }

    /** Returns the smallest value that this share of the packets does not exceed, or an upper limit of it. */
    private static String quantile(Distribution lags, double share) {
        double wanted = Math.ceil(share * (double) lags.n() - 1e-6);
        int i = 0;
        while (Math.rint(lags.atOrBelow(i) * (double) lags.n()) < wanted) {
            i++;
        }
        boolean isExact = Math.rint(lags.atOrBelow(i) * (double) lags.n()) == wanted;
        return (isExact ? "" : "≤ ") + Numbers.fixed(3, (double) lags.valueNs(i) / 1e3);
    }

    /** Adds a chart that has drawings. */
    private void add(ReportChart chart) {
        if (!chart.drawings().isEmpty()) {
            charts.add(chart);
        }
    }
}
