package org.lagbench.report.page;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.analysis.forecast.SeriesTrace;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesInfo.Domain;
import org.lagbench.report.chart.Axis;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.Layer;
import org.lagbench.report.chart.LineStyle;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Result;
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
            sections.add(Section.of(ReportChart.withoutZoom(
                    "charts", "Series and forecasts", "Each forecast was made before its value was known.", charts)));
        }
        String name = String.valueOf(session.toAbsolutePath().normalize().getFileName());
        Result table = SeriesTable.result(name, series);
        sections.add(
                Section.of("series", "Statistics", "tables", table.document().get()));
        new Page(name, monitored(series), List.of(), sections, table.text(TableFormat.JSON)).write(file);
    }

    private static String monitored(List<SeriesSummary> series) {
        long values = series.stream().mapToLong(SeriesSummary::values).sum();
        long missing = series.stream().mapToLong(SeriesSummary::missing).sum();
        return Numbers.grouped(series.size()) + " series with " + Numbers.grouped(values) + " values, and "
                + Numbers.grouped(missing) + " missing.";
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
            layers.add(LineStyle.hairline(0)
                    .bars(
                            "range",
                            times(trace, known, nsPerUnit),
                            values(known, i -> trace.lows()[i]),
                            values(known, i -> trace.highs()[i])));
        }
        double maxGap = 1.5 * trace.intervalNs() / nsPerUnit;
        layers.add(LineStyle.ofSeries(0)
                .brokenLine("value", times(trace, known, nsPerUnit), values(known, i -> trace.means()[i]), maxGap));
        int[] forecast = known(trace.forecasts());
        layers.add(LineStyle.ofSeries(1)
                .brokenLine(
                        "forecast",
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

    /**
     * The row of a series in a table of sparklines.
     *
     * @param line the path over a box from 0, 0 to 100, 100
     * @param dots the path of the values without neighbors
     * @param low the value at the bottom of the box
     * @param high the value at the top
     * @param values the values for the cursor: pairs of a place from 0 to 100 and a value
     * @param fromMs the time of place 0, in ms since the epoch
     * @param untilMs the time of place 100
     */
    public record Sparkline(
            SeriesSummary summary,
            String line,
            String dots,
            double low,
            double high,
            String values,
            long fromMs,
            long untilMs) {
        private static final double SIDE = 100;
        private static final long NS_PER_MS = 1_000_000;
        private static final double HEADROOM = 0.05;

        /**
         * Returns the sparklines of the series that have values, all over the time of the longest. Their axes end where
         * the values can end.
         */
        public static List<Sparkline> ofAll(Path session, List<SeriesSummary> series) throws LagbenchException {
            List<SeriesSummary> known =
                    series.stream().filter(one -> one.values() > 0).toList();
            long fromNs = known.stream().mapToLong(SeriesSummary::firstNs).min().orElse(0);
            long untilNs = known.stream().mapToLong(SeriesSummary::lastNs).max().orElse(1);
            return CheckedFunction.each(known, one -> of(session, one, fromNs, Math.max(fromNs + 1, untilNs)));
        }

        private static Sparkline of(Path session, SeriesSummary summary, long fromNs, long untilNs)
                throws LagbenchException {
            SeriesTrace trace = SeriesTrace.of(
                    session, summary, (int) Math.min(MAX_INTERVALS, summary.values() + summary.missing()));
            double[] range = range(summary.series().domain(), trace.means());
            double[] means = trace.means();
            IntToDoubleFunction x = i -> SIDE * (trace.firstNs() + trace.middleNs(i) - fromNs) / (untilNs - fromNs);
            StringBuilder line = new StringBuilder();
            StringBuilder dots = new StringBuilder();
            for (int i = 0; i < means.length; i++) {
                if (!Double.isNaN(means[i])) {
                    boolean isContinued = i > 0 && !Double.isNaN(means[i - 1]);
                    boolean isLone = !isContinued && (i == means.length - 1 || Double.isNaN(means[i + 1]));
                    double y = SIDE * (range[1] - means[i]) / (range[1] - range[0]);
                    (isLone ? dots : line)
                            .append(String.format(
                                    Locale.ROOT, "%s%.2f,%.2fh0", isContinued ? "L" : "M", x.applyAsDouble(i), y));
                }
            }
            String values = IntStream.range(0, means.length)
                    .filter(i -> !Double.isNaN(means[i]))
                    .mapToObj(i ->
                            String.format(Locale.ROOT, "%.2f", x.applyAsDouble(i)) + " " + Numbers.sixDigits(means[i]))
                    .collect(Collectors.joining(";"));
            return new Sparkline(
                    summary,
                    line.toString(),
                    dots.toString(),
                    range[0],
                    range[1],
                    values,
                    fromNs / NS_PER_MS,
                    untilNs / NS_PER_MS);
        }

        /** Returns the range of the axis for these values: the domain, if it has both limits. */
        static double[] range(Domain domain, double... values) {
            if (Double.isFinite(domain.min()) && Double.isFinite(domain.max())) {
                return new double[] {domain.min(), domain.max()};
            }
            double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
            double min = DoubleStream.of(known).min().orElse(0);
            double max = DoubleStream.of(known).max().orElse(1);
            double margin = (max > min ? max - min : Math.max(1e-9, Math.abs(max))) * HEADROOM;
            return new double[] {domain.nearest(min - margin), domain.nearest(max + margin)};
        }

        /** Returns what the sparkline shows, in words. */
        public String text() {
            return summary.series().title() + ": from " + number(low) + " to " + number(high) + " "
                    + summary.series().unit() + "; the last value is " + number(summary.last()) + ".";
        }

        /** Returns a number with at most six digits. */
        public static String number(double value) {
            String text = Numbers.sixDigits(value);
            return text.contains(".") && !text.contains("e") ? text.replaceFirst("\\.?0+$", "") : text;
        }
    }
}
