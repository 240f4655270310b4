package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Figure.Drawing;
import org.lagbench.report.chart.Figure.RunDrawer;
import org.lagbench.report.chart.LagDistribution.LabeledDistribution;
import org.lagbench.report.chart.ReportChart.PageDrawing;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;
import org.lagbench.report.table.Warnings;

/**
 * The charts of a session's report: figures of every run, with zoom.
 *
 * <p>The curves of all runs together have at most about {@value #MAX_POINTS} points, so that a report stays below 8 MB
 * besides its tables for any number of packets.
 */
public final class ReportCharts {
    private static final int MAX_POINTS = 400_000;
    private static final int POINTS_PER_COLUMN = 4;
    private static final int CURVES_PER_RUN = 7;
    private static final int MAX_COLUMNS = 2_000;

    /** The least columns of a thinned curve, for any number of runs: the pixels of a narrow screen. */
    private static final int MIN_COLUMNS = 60;

    private static final double DISTRIBUTION_HEIGHT = 200;
    private static final int MAX_SIZE_CHARTS = 24;

    /** The percentages of packets, as text so that they are shown unchanged. */
    private static final List<String> QUANTILES = List.of("50", "90", "95", "99", "99.9", "99.99", "99.999", "100");

    private final FigureContext context;
    private final Map<RunDrawer, Map<Integer, Chart>> runCharts = new LinkedHashMap<>();
    private final List<LabeledDistribution> distributions = new ArrayList<>();
    private final List<String> runTitles = new ArrayList<>();
    private final Map<String, String> titlesByName = new LinkedHashMap<>();
    private final List<ReportChart> charts = new ArrayList<>();

    private ReportCharts(FigureContext context) {
        this.context = context;
    }

    /**
     * Draws all runs of the summary, one at a time.
     *
     * @return the charts for which the session has data, in the order of the page
     * @throws LagbenchException if the captures cannot be read
     */
    public static List<ReportChart> of(FigureContext context) throws LagbenchException {
        return new ReportCharts(context).draw();
    }

    private List<ReportChart> draw() throws LagbenchException {
        RunDrawer lag = LagOverTime::chart;
        RunDrawer delays = InterPacketDelay::chart;
        RunDrawer occupancy = BufferOccupancy::chart;
        List.of(lag, delays, occupancy).forEach(drawer -> runCharts.put(drawer, new TreeMap<>()));
        drawRuns();
        add(
                "over-time",
                "Lag over time",
                "Lag over time",
                "Transmit lag of each packet over the time at which it was sent, all runs on one scale. Below: steps of"
                        + " the clocks, and events that may delay packets, each side by its own clock (at most the 400"
                        + " longest events of a run). Beside the greatest lag: what it consists of. Where packets"
                        + " are closer than the screen can show, their least and greatest values are drawn:"
                        + " no extreme is left out.",
                lag);
        addDistribution();
        add(
                "delays",
                "Inter-packet delay",
                "Inter-packet delay over packet number",
                "The time between consecutive stamps of one side, all runs on one scale. It needs no common clock.",
                delays);
        add(
                "occupancy",
                "Fill level of the buffers",
                "Fill level of the socket buffers over time",
                "Bytes in a buffer of the kernel, sampled during the run, all runs on one scale, each by the clock of"
                        + " its side.",
                occupancy);
        addStages();
        addSizes();
        addCompression();
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
                    for (Map.Entry<RunDrawer, Map<Integer, Chart>> figure : runCharts.entrySet()) {
                        Chart chart = figure.getKey().draw(view);
                        if (chart != null) {
                            figure.getValue().put(runTitles.size(), chart);
                        }
                    }
                    Distribution lags = Distribution.of(consumer -> Series.TRANSMIT_LAG.forEach(run, consumer));
                    if (lags.n() > 0) {
                        distributions.add(new LabeledDistribution("", summary.name(), LineStyle.ofRun(false), lags));
                    }
                    String title = view.pointName() + ", run " + summary.repeat();
                    boolean isLossy = run.counts().lost() > 0;
                    runTitles.add(isLossy ? title + ", " + Warnings.loss(run.counts()) + " % lost" : title);
                    titlesByName.put(summary.name(), title);
                }
            }
        }
    }

    private void add(String id, String title, String label, String caption, RunDrawer drawer) {
        Map<Integer, Chart> drawn = runCharts.getOrDefault(drawer, Map.of());
        List<String> svgs = PageSvg.zoomable(List.copyOf(drawn.values()), id);
        List<PageDrawing> drawings = new ArrayList<>();
        drawn.forEach((run, chart) ->
                drawings.add(new PageDrawing(run, runTitles.get(run), svgs.get(drawings.size()), chart.notes())));
        if (!drawings.isEmpty()) {
            charts.add(new ReportChart(id, title, label, caption, true, null, drawings, null));
        }
    }

    /**
     * Returns the charts of all points, which precede all tables: first the one that answers the session's question.
     */
    public static List<ReportChart> overviews(FigureContext context) {
        ReportCharts made = new ReportCharts(context);
        made.addRows(
                "overview",
                "Overview",
                Overview.caption(context),
                Overview.points(context),
                isNarrow -> Overview.chart(context, isNarrow));
        made.addRows(
                "tail",
                "Tail by cause",
                TailByCause.CAPTION,
                TailByCause.points(context),
                isNarrow -> TailByCause.chart(context, isNarrow));
        return made.charts;
    }

    /** Adds a chart with a row for each of these points, if there are any. */
    private void addRows(
            String id, String title, String caption, List<PointSummary> points, Function<Boolean, Chart> chart) {
        if (!points.isEmpty()) {
            String svg = PointRowChart.inPage(chart, id + "-");
            List<PageDrawing> drawings = List.of(new PageDrawing(null, title, svg, List.of()));
            charts.add(new ReportChart(id, title, title, caption, false, null, drawings, null));
        }
    }

    /** Adds a chart with the distribution of the lags of each run. */
    private void addDistribution() {
        if (!distributions.isEmpty()) {
            Chart chart = LagDistribution.chart(distributions, DISTRIBUTION_HEIGHT, List.of(), List.of());
            String svg = PageSvg.zoomable(List.of(chart), "distribution").get(0);
            charts.add(new ReportChart(
                    "distribution",
                    "Distribution of lags",
                    "Distribution of lags",
                    "The fraction of packets with that lag or more (complementary, both axes logarithmic), or with that"
                            + " lag or less. Every point of a line is a measured lag; the last is the greatest.",
                    true,
                    LagDistribution.COMPLEMENTARY,
                    List.of(new PageDrawing(null, "", svg, List.of())),
                    quantiles()));
        }
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
        return columns.table("Distribution of lags", distributions);
    }

    /** Returns the least value that this share of the packets does not exceed, or an upper limit of it. */
    private static String quantile(Distribution lags, double share) {
        double wanted = Math.ceil(share * (double) lags.n() - 1e-6);
        int i = 0;
        while (Math.rint(lags.atOrBelow(i) * (double) lags.n()) < wanted) {
            i++;
        }
        boolean isExact = Math.rint(lags.atOrBelow(i) * (double) lags.n()) == wanted;
        return (isExact ? "" : "≤ ") + Numbers.fixed(3, (double) lags.valueNs(i) / 1e3);
    }

    private void addSizes() {
        List<PageDrawing> drawings = new ArrayList<>();
        List<Drawing> all = PacketSizeChart.draw(context, "over-packet-size");
        for (Drawing drawing : all.subList(0, Math.min(all.size(), MAX_SIZE_CHARTS))) {
            Chart chart = drawing.chart();
            String prefix = "sizes-" + drawings.size() + "-";
            drawings.add(new PageDrawing(null, chart.title(), PageSvg.fixed(chart, prefix), chart.notes()));
        }
        if (!drawings.isEmpty()) {
            charts.add(new ReportChart(
                    "over-packet-size",
                    "Over packet size",
                    "Median lag and receive rate over packet size",
                    "Each axis with several values has a drawing for each point of the other axes, with a line for each"
                            + " value, on logarithmic scales"
                            + (all.size() > MAX_SIZE_CHARTS ? "; the first " + MAX_SIZE_CHARTS + " are shown" : "")
                            + ". lagbench table --view compare has the figures.",
                    false,
                    null,
                    drawings,
                    null));
        }
    }

    private void addStages() {
        addFixed(
                "stage-stack",
                "Composition of the lag",
                "The composition of the median, the 95 % and the 99 % quantile of the lag at each point: the mean"
                        + " of each stage over the packets whose lag is near that quantile, in the order in which"
                        + " packets pass the stages. All bars have one height. The table of stages has the"
                        + " figures.",
                StageStack.shares(context));
    }

    private void addCompression() throws LagbenchException {
        List<Chart> drawn = new ArrayList<>();
        for (Figure figure : List.of(
                Figure.COMPRESSION_OVER_BANDWIDTH,
                Figure.COMPRESSION_OVER_SIZE,
                Figure.COMPRESSION_ERRORS,
                Figure.TURNING_POINT)) {
            figure.draw(context).forEach(drawing -> drawn.add(drawing.chart()));
        }
        addFixed(
                "compressed-transfers",
                "Compressed transfers",
                "The times of compressed transfers, and what the models of Hu (2003) predict. The tables of compression"
                        + " have the figures.",
                drawn);
    }

    /** Adds charts without zoom, if there are any. */
    private void addFixed(String id, String title, String caption, List<Chart> drawn) {
        List<PageDrawing> drawings = new ArrayList<>();
        for (Chart chart : drawn) {
            String prefix = id + "-" + drawings.size() + "-";
            drawings.add(new PageDrawing(null, chart.title(), PageSvg.fixed(chart, prefix), chart.notes()));
        }
        if (!drawings.isEmpty()) {
            charts.add(new ReportChart(id, title, title, caption, false, null, drawings, null));
        }
    }
}
