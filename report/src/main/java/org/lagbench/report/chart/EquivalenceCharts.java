package org.lagbench.report.chart;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.forecast.Equivalence;
import org.lagbench.analysis.forecast.Equivalence.ErrorCurve;
import org.lagbench.analysis.forecast.Equivalence.ErrorHistogram;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.ChartKind.Drawing;
import org.lagbench.report.table.PointNames;

/** The forecast errors of two series, SVG and PNG: their histograms over the same bins, and their distributions. */
public final class EquivalenceCharts implements ChartKind.Source {
    private static final double HEIGHT = 150;
    private static final double HEADROOM = 1.05;

    @Override
    public List<ChartKind> kinds() {
        String needs = "--between AXIS, and repeats";
        return List.of(
                new ChartKind("error-histogram", 140, needs, eachStudy(EquivalenceCharts::histogram)),
                new ChartKind("error-distribution", 150, needs, eachStudy(EquivalenceCharts::distribution)));
    }

    /** Draws each study whose forecasts could be scored. */
    private static ChartKind.Drawer eachStudy(Function<Equivalence, Chart> drawer) {
        return (context, name) -> context.studies().stream()
                .filter(study -> study.equivalence().first().errors().errors().size() > 1)
                .map(study -> {
                    Comparison comparison = study.comparison();
                    String file = PointNames.filePart(String.join(
                            "-",
                            name,
                            context.names().fileName(comparison.point()),
                            comparison.metric().id()));
                    return new Drawing(
                            file,
                            drawer.apply(study.equivalence())
                                    .withNotes(List.of(context.session() + ": "
                                            + comparison.metric().title() + " of "
                                            + context.names().full(comparison.point()) + ", compared with "
                                            + context.names().full(comparison.baselinePoint())
                                            + ". Each repeat is a value.")));
                })
                .toList();
    }

    /**
     * Writes the charts into a directory, which is created if necessary.
     *
     * @return the files
     * @throws LagbenchException with {@link ExitCode#FILES} if a file cannot be written, with
     *     {@link ExitCode#UNAVAILABLE} if this machine cannot draw
     */
    public static List<Path> write(Path directory, Equivalence equivalence) throws LagbenchException {
        Map<String, Chart> charts = new LinkedHashMap<>();
        charts.put("error-histogram", histogram(equivalence));
        charts.put("error-distribution", distribution(equivalence));
        return ChartFiles.writeAll(directory, charts);
    }

    /** Returns the histograms of the forecast errors of both series. */
    public static Chart histogram(Equivalence equivalence) {
        ErrorHistogram histogram = equivalence.histogram();
        double[] x = new double[2 * ErrorHistogram.BINS];
        for (int i = 0; i < x.length; i++) {
            int edge = (i + 1) / 2;
            x[i] = histogram.from() + edge * histogram.width();
        }
        double[] first = percent(histogram.first());
        double[] second = percent(histogram.second());
        double max =
                Stream.of(first, second).flatMapToDouble(Arrays::stream).max().orElse(1);
        return chart(
                "Histogram of the forecast errors",
                equivalence,
                Axis.linear("errors in a bin (%)", 0, max * HEADROOM),
                List.of(
                        LineStyle.ofSeries(0).line(equivalence.firstLabel(), x, first),
                        LineStyle.ofSeries(1).line(equivalence.secondLabel(), x, second)),
                ErrorHistogram.BINS + " bins between the lowest and the highest error of both series.");
    }

    /** Returns the height of the histogram at both ends of each bin, in percent. */
    private static double[] percent(List<Long> counts) {
        double all = counts.stream().mapToLong(Long::longValue).sum();
        double[] percent = new double[2 * counts.size()];
        for (int i = 0; i < percent.length; i++) {
            percent[i] = all == 0 ? 0 : Units.PERCENT * counts.get(i / 2) / all;
        }
        return percent;
    }

    /** Returns the distributions of the forecast errors of both series. */
    public static Chart distribution(Equivalence equivalence) {
        return chart(
                "Distribution of the forecast errors",
                equivalence,
                Axis.linear("fraction of errors ≤ x", 0, 1),
                List.of(
                        curve(equivalence.firstLabel(), 0, equivalence.first().errors()),
                        curve(equivalence.secondLabel(), 1, equivalence.second().errors())),
                "The curves of two equally predictable series cover each other.");
    }

    private static Layer curve(String name, int series, ErrorCurve curve) {
        return LineStyle.ofSeries(series).stepsTo(name, numbers(curve.errors()), numbers(curve.fractions()));
    }

    private static double[] numbers(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static Chart chart(String title, Equivalence equivalence, Axis vertical, List<Layer> layers, String note) {
        ErrorHistogram histogram = equivalence.histogram();
        return new Chart(
                title,
                Chart.ONE_COLUMN,
                Axis.linear(
                        "value − forecast",
                        histogram.from(),
                        histogram.from() + ErrorHistogram.BINS * histogram.width()),
                List.of(Chart.Row.of(vertical, HEIGHT, layers)),
                List.of(
                        new Chart.Entry(equivalence.firstLabel(), LineStyle.ofSeries(0)),
                        new Chart.Entry(equivalence.secondLabel(), LineStyle.ofSeries(1))),
                List.of(note));
    }
}
