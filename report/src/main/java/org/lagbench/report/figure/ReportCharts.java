package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.AllSeries;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.figure.LagDistribution.LabeledDistribution;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.LineStyle;
import org.lagbench.report.plot.PageSvg;
import org.lagbench.report.table.Column;
import org.lagbench.report.table.Table;

/**
 * The charts of a session's report: the figures, drawn by the same code, of every run and such that a script can zoom.
 *
 * <p>The curves of all runs together have about {@value #MOST_POINTS} points at most, so that a report stays below 8 MB
 * besides its tables, however many packets there are.
 */
public final class ReportCharts {
    private static final int MOST_POINTS = 300_000;
    private static final int POINTS_A_COLUMN = 4;
    private static final int CURVES_A_RUN = 4;
    private static final int MOST_COLUMNS = 2_000;

    /** As many as a narrow screen has pixels, however many runs there are: one can still be looked at. */
    private static final int FEWEST_COLUMNS = 60;

    private static final double DISTRIBUTION_HEIGHT = 200;
    private static final List<Double> SHARES = List.of(0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.99999, 1.0);

    /**
     * A drawing in a page.
     *
     * @param run the number of its run, from 0 in the order of the summary; null if it is of all
     * @param title its heading, or ""
     * @param svg the element
     * @param notes what is said below it
     */
    public record PageDrawing(@Nullable Integer run, String title, String svg, List<String> notes) {}

    private final FigureContext context;
    private final Map<Integer, Chart> lag = new LinkedHashMap<>();
    private final Map<Integer, Chart> delays = new LinkedHashMap<>();
    private final Map<Integer, Chart> occupancy = new LinkedHashMap<>();
    private final List<LabeledDistribution> distributions = new ArrayList<>();
    private final List<String> titles = new ArrayList<>();

    private ReportCharts(FigureContext context) {
        this.context = context;
    }

    /**
     * Draws all runs of the summary, of which one is open at a time.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public static ReportCharts of(FigureContext context) throws LagbenchException {
        ReportCharts charts = new ReportCharts(context);
        int runs =
                context.points().stream().mapToInt(point -> point.runs().size()).sum();
        int columns = MOST_POINTS / POINTS_A_COLUMN / CURVES_A_RUN / Math.max(1, runs);
        for (PointSummary point : context.points()) {
            for (RunSummary run : point.runs()) {
                charts.add(point, run, Math.max(FEWEST_COLUMNS, Math.min(MOST_COLUMNS, columns)));
            }
        }
        return charts;
    }

    private void add(PointSummary point, RunSummary summary, int columns) throws LagbenchException {
        int number = titles.size();
        titles.add(context.names().full(point.point()) + ", run " + summary.repeat());
        try (JoinedRun run = context.open(summary.name())) {
            RunView view = new RunView(context, point, summary, run, columns, true);
            RunView coarse =
                    new RunView(context, point, summary, run, Math.max(FEWEST_COLUMNS, columns / CURVES_A_RUN), true);
            put(lag, number, LagOverTime.chart(view));
            put(delays, number, InterPacketDelay.chart(view));
            put(occupancy, number, BufferOccupancy.chart(coarse));
            Distribution lags = Distribution.of(consumer -> AllSeries.TRANSMIT_LAG.forEach(run, consumer));
            if (lags.n() > 0) {
                distributions.add(new LabeledDistribution("", summary.name(), LineStyle.ofRun(false), lags));
            }
        }
    }

    private static void put(Map<Integer, Chart> charts, int run, @Nullable Chart chart) {
        if (chart != null) {
            charts.put(run, chart);
        }
    }

    /** The lag over time, with what went on meanwhile, of each run of which a packet came. */
    public List<PageDrawing> lagOverTime() {
        return drawings(lag, "lag");
    }

    /** The inter-packet delays of both sides of each run of two packets. */
    public List<PageDrawing> delays() {
        return drawings(delays, "delay");
    }

    /** How full the socket buffers were, of each run that recorded it. */
    public List<PageDrawing> occupancy() {
        return drawings(occupancy, "occupancy");
    }

    /** The distributions of the lags in one drawing, each line named as its run; none if no packet came. */
    public List<PageDrawing> distribution() {
        if (distributions.isEmpty()) {
            return List.of();
        }
        Chart chart = LagDistribution.chart(distributions, DISTRIBUTION_HEIGHT, List.of(), List.of());
        return List.of(new PageDrawing(
                null, "", PageSvg.zoomable(List.of(chart), "distribution").get(0), List.of()));
    }

    /** Within what the shares of the packets came, of each run. */
    public Table quantiles() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("Run"));
        for (double share : SHARES) {
            columns.add(Column.number(
                    share == 1
                            ? "all within"
                            : String.format(Locale.ROOT, "%.5g", share * 100).replaceAll("\\.?0+$", "") + " % within",
                    "µs"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (LabeledDistribution curve : distributions) {
            List<String> row = new ArrayList<>();
            row.add(curve.label());
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

    /** What the lags are made of, a drawing for each point that recorded it. */
    public List<PageDrawing> stages() {
        List<PageDrawing> drawings = new ArrayList<>();
        for (Chart chart : StageStack.charts(context)) {
            String prefix = "stages-" + drawings.size() + "-";
            drawings.add(new PageDrawing(null, chart.title(), PageSvg.fixed(chart, prefix), chart.notes()));
        }
        return drawings;
    }

    private List<PageDrawing> drawings(Map<Integer, Chart> charts, String idPrefix) {
        List<String> svgs = PageSvg.zoomable(List.copyOf(charts.values()), idPrefix);
        List<PageDrawing> drawings = new ArrayList<>();
        charts.forEach((run, chart) ->
                drawings.add(new PageDrawing(run, titles.get(run), svgs.get(drawings.size()), chart.notes())));
        return drawings;
    }
}
