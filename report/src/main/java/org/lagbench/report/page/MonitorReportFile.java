package org.lagbench.report.page;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.analysis.forecast.SeriesTrace;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Axis;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.Layer;
import org.lagbench.report.chart.Line;
import org.lagbench.report.chart.LineStyle;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.SeriesTable;
import org.lagbench.report.table.TableFormat;

/**
 * The report of a monitor's session: one self-contained HTML file that opens with a line for each series. Its size does
 * not depend on the number of values.
 */
public final class MonitorReportFile {
    private static final int MAX_INTERVALS = 400;
    private static final double HEIGHT = 130;
    private static final long NS_PER_S = 1_000_000_000;

    private MonitorReportFile() {}

    /**
     * Writes the report. A reader finds the old file or the new one, never a part of it.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if a series cannot be read or the file cannot be written
     */
    public static void write(Path file, Path session, List<SeriesSummary> series) throws LagbenchException {
        List<Section> sections = new ArrayList<>();
        List<Sparkline> lines = Sparkline.ofAll(session, series);
        List<Chart> charts = new ArrayList<>();
        for (SeriesSummary one : series) {
            if (one.values() > 0) {
                charts.add(chart(session, one));
            }
        }
        if (!lines.isEmpty()) {
            sections.add(Section.of("overview", "Overview", "sparklines", lines));
            sections.add(Section.of(ReportChart.ofFixed(
                    "charts", "Series and forecasts", "Each forecast was made before its value was known.", charts)));
        }
        sections.add(Section.of("series", "Statistics", "tables", SeriesTable.document(series)));
        String name = String.valueOf(session.toAbsolutePath().normalize().getFileName());
        new Page(
                        name,
                        monitored(series),
                        List.of(),
                        sections,
                        SeriesTable.result(name, series).text(TableFormat.JSON))
                .write(file);
    }

    private static String monitored(List<SeriesSummary> series) {
        return Numbers.grouped(series.size()) + " series with "
                + Numbers.grouped(
                        series.stream().mapToLong(SeriesSummary::values).sum())
                + " values, and "
                + Numbers.grouped(
                        series.stream().mapToLong(SeriesSummary::missing).sum())
                + " missing.";
    }

    /** Returns the chart of a series that has values. */
    private static Chart chart(Path session, SeriesSummary summary) throws LagbenchException {
        long records = summary.values() + summary.missing();
        SeriesTrace trace = SeriesTrace.of(session, summary, (int) Math.min(MAX_INTERVALS, records));
        boolean isThinned = records > MAX_INTERVALS;
        double lengthS = trace.means().length * trace.intervalNs() / NS_PER_S;
        TimeUnit timeUnit = Stream.of(TimeUnit.DAYS, TimeUnit.HOURS, TimeUnit.MINUTES)
                .filter(longer -> lengthS > 2.0 * longer.toSeconds(1))
                .findFirst()
                .orElse(TimeUnit.SECONDS);
        String unit =
                switch (timeUnit) {
                    case DAYS -> "days";
                    case HOURS -> "h";
                    case MINUTES -> "min";
                    default -> "s";
                };
        double unitS = timeUnit.toSeconds(1);
        double nsPerUnit = unitS * NS_PER_S;
        double[] range = Sparkline.range(
                summary.series().domain(),
                Stream.of(trace.lows(), trace.highs(), trace.forecasts())
                        .flatMapToDouble(Arrays::stream)
                        .toArray());
        List<Layer> layers = new ArrayList<>();
        int[] known = known(trace.means());
        if (isThinned) {
            layers.add(Line.bars(
                    "range",
                    LineStyle.hairline(0),
                    times(trace, known, nsPerUnit),
                    values(known, i -> trace.lows()[i]),
                    values(known, i -> trace.highs()[i])));
        }
        double maxGap = 1.5 * trace.intervalNs() / nsPerUnit;
        layers.add(Line.broken(
                "value",
                LineStyle.ofSeries(0),
                times(trace, known, nsPerUnit),
                values(known, i -> trace.means()[i]),
                maxGap));
        int[] forecast = known(trace.forecasts());
        layers.add(Line.broken(
                "forecast",
                LineStyle.ofSeries(1),
                times(trace, forecast, nsPerUnit),
                values(forecast, i -> trace.forecasts()[i]),
                maxGap));
        return new Chart(
                summary.series().name(),
                Chart.ONE_COLUMN,
                Axis.linear(
                        "time since " + Instant.ofEpochSecond(summary.firstNs() / NS_PER_S) + " (" + unit + ")",
                        0,
                        lengthS / unitS),
                List.of(Chart.Row.of(
                        Axis.linear(
                                summary.series().name() + " ("
                                        + summary.series().unit() + ")",
                                range[0],
                                range[1]),
                        HEIGHT,
                        layers)),
                List.of(
                        new Chart.Entry("value", LineStyle.ofSeries(0)),
                        new Chart.Entry("forecast made before it", LineStyle.ofSeries(1))),
                isThinned
                        ? List.of("Each point is the mean of " + Math.round((double) records / MAX_INTERVALS)
                                + " values or their forecasts; bars are from the minimum to the maximum.")
                        : List.of());
    }

    private static int[] known(double[] values) {
        return IntStream.range(0, values.length)
                .filter(i -> !Double.isNaN(values[i]))
                .toArray();
    }

    private static double[] times(SeriesTrace trace, int[] intervals, double nsPerUnit) {
        return values(intervals, i -> trace.middleNs(i) / nsPerUnit);
    }

    private static double[] values(int[] intervals, IntToDoubleFunction value) {
        return Arrays.stream(intervals).mapToDouble(value).toArray();
    }
}
