package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.AllSeries;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.figure.Figure.RunDrawer;
import org.lagbench.report.figure.LagDistribution.LabeledDistribution;
import org.lagbench.report.figure.ReportChart.PageDrawing;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.LineStyle;
import org.lagbench.report.plot.PageSvg;
import org.lagbench.report.table.Column;
import org.lagbench.report.table.Table;

/**
 * The charts of a session's report: figures of every run, which a script can zoom.
 *
 * <p>The curves of all runs together have about {@value #MOST_POINTS} points at most, so that a report stays below 8 MB
 * besides its tables, however many packets there are.
 */
public final class ReportCharts {
    private static final int MOST_POINTS = 400_000;
    private static final int POINTS_A_COLUMN = 4;
    private static final int CURVES_A_RUN = 7;
    private static final int MOST_COLUMNS = 2_000;

    /** As many as a narrow screen has pixels, however many runs there are: one can still be looked at. */
    private static final int FEWEST_COLUMNS = 60;

    private static final double DISTRIBUTION_HEIGHT = 200;
    private static final List<Double> SHARES = List.of(0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 1.0);

    private final FigureContext context;
    private final Map<RunDrawer, Map<Integer, Chart>> ofRuns = new LinkedHashMap<>();
    private final List<LabeledDistribution> distributions = new ArrayList<>();
    private final List<String> runTitles = new ArrayList<>();
    private final List<ReportChart> charts = new ArrayList<>();

    private ReportCharts(FigureContext context) {
        this.context = context;
    }

    /**
     * Draws all runs of the summary, of which one is open at a time.
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
        List.of(lag, delays, occupancy).forEach(drawer -> ofRuns.put(drawer, new TreeMap<>()));
        drawRuns();
        add(
                "over-time",
                "Lag over time",
                "Lag over time",
                "Transmit lag of each packet over the time at which it was sent, all runs on one scale, and below it"
                        + " what may delay packets, each side by its own clock (of more than 400 events of a run the"
                        + " longest). Where packets are closer than the screen can show, the least and the greatest of"
                        + " them are drawn: no extreme is left out.",
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
                "How full the buffers were",
                "Occupancy of the sockets' buffers over time",
                "Bytes in a buffer of the kernel, sampled through the run, all runs on one scale; each by the clock of"
                        + " its own side.",
                occupancy);
        addStages();
        return charts;
    }

    private void drawRuns() throws LagbenchException {
        int runs =
                context.points().stream().mapToInt(point -> point.runs().size()).sum();
        int affordable = MOST_POINTS / POINTS_A_COLUMN / CURVES_A_RUN / Math.max(1, runs);
        int columns = Math.max(FEWEST_COLUMNS, Math.min(MOST_COLUMNS, affordable));
        for (PointSummary point : context.points()) {
            for (RunSummary summary : point.runs()) {
                try (JoinedRun run = context.open(summary.name())) {
                    RunView view = new RunView(context, point, summary, run, columns, true);
                    for (Map.Entry<RunDrawer, Map<Integer, Chart>> figure : ofRuns.entrySet()) {
                        Chart chart = figure.getKey().draw(view);
                        if (chart != null) {
                            figure.getValue().put(runTitles.size(), chart);
                        }
                    }
                    Distribution lags = Distribution.of(consumer -> AllSeries.TRANSMIT_LAG.forEach(run, consumer));
                    if (lags.n() > 0) {
                        distributions.add(new LabeledDistribution("", summary.name(), LineStyle.ofRun(false), lags));
                    }
                    runTitles.add(view.pointName() + ", run " + summary.repeat());
                }
            }
        }
    }

    private void add(String id, String title, String label, String caption, RunDrawer drawer) {
        Map<Integer, Chart> drawn = ofRuns.getOrDefault(drawer, Map.of());
        List<String> svgs = PageSvg.zoomable(List.copyOf(drawn.values()), id);
        List<PageDrawing> drawings = new ArrayList<>();
        drawn.forEach((run, chart) ->
                drawings.add(new PageDrawing(run, runTitles.get(run), svgs.get(drawings.size()), chart.notes())));
        if (!drawings.isEmpty()) {
            charts.add(new ReportChart(id, title, label, caption, true, null, drawings, null));
        }
    }

    /** All runs in one drawing, each line named as its run. */
    private void addDistribution() {
        if (!distributions.isEmpty()) {
            Chart chart = LagDistribution.chart(distributions, DISTRIBUTION_HEIGHT, List.of(), List.of());
            String svg = PageSvg.zoomable(List.of(chart), "distribution").get(0);
            charts.add(new ReportChart(
                    "distribution",
                    "How lags are distributed",
                    "Distribution of lags",
                    "The fraction of packets whose lag is that or more (complementary, both axes logarithmic), or that"
                            + " or less. Every point of a line is a lag that was measured; the last is the greatest.",
                    true,
                    LagDistribution.COMPLEMENTARY,
                    List.of(new PageDrawing(null, "", svg, List.of())),
                    quantiles()));
        }
    }

    /** Within what the shares of the packets came, of each run. */
    private Table quantiles() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("Run"));
        for (double share : SHARES) {
            String percent = String.format(Locale.ROOT, "%.3f", share * 100).replaceAll("\\.?0+$", "");
            columns.add(Column.number(share == 1 ? "all within" : percent + " % within", "µs"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (LabeledDistribution curve : distributions) {
            List<String> row = new ArrayList<>(List.of(curve.label()));
            SHARES.forEach(share -> row.add(quantile(curve.distribution(), share)));
            rows.add(row);
        }
        return new Table("Distribution of lags", columns, rows);
    }

    /** The value within which that share is, or one that is known not to be less. */
    private static String quantile(Distribution lags, double share) {
        double wanted = Math.ceil(share * (double) lags.n() - 1e-6);
        int i = 0;
        while (Math.rint(lags.atOrBelow(i) * (double) lags.n()) < wanted) {
            i++;
        }
        boolean isExact = Math.rint(lags.atOrBelow(i) * (double) lags.n()) == wanted;
        return (isExact ? "" : "≤ ") + String.format(Locale.ROOT, "%.3f", (double) lags.valueNs(i) / 1e3);
    }

    private void addStages() {
        List<PageDrawing> drawings = new ArrayList<>();
        for (Chart chart : StageStack.shares(context)) {
            String prefix = "stages-" + drawings.size() + "-";
            drawings.add(new PageDrawing(null, chart.title(), PageSvg.fixed(chart, prefix), chart.notes()));
        }
        if (!drawings.isEmpty()) {
            charts.add(new ReportChart(
                    "stage-stack",
                    "Where the time went",
                    "What lags are made of",
                    "What a lag is made of, of each point its median, its 95 % and its 99 % quantile: the mean of each"
                            + " stage over the packets whose lag is near that quantile, in the order in which a packet"
                            + " goes through them. All bars are equally high. The figures are in the table of stages.",
                    false,
                    null,
                    drawings,
                    null));
        }
    }
}
