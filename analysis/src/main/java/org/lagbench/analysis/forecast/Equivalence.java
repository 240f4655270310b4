package org.lagbench.analysis.forecast;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.ForecastTrace.Kind;

/**
 * The comparison of two series.
 *
 * @param first the first series
 * @param second the second series
 * @param regression over all pairs
 * @param outliers number of pairs of which one value is at least {@value #OUTLIER} times the other
 * @param regressionWithoutOutliers over the other pairs
 * @param meanRatio over all pairs; null if there is none, or a mean is not positive
 * @param meanRatioWithoutOutliers over the pairs without outliers, likewise
 * @param mseIntervals captured by forecast ± 2√MSE; 95 % is required (Krintz and Wolski 2000, section 5.2)
 * @param conformalIntervals captured by the adaptive conformal intervals for 95 %. Their share is about 95 % by
 *     construction, and their widths are estimates, so two percentage points less are required
 * @param values tests whether the values have the same distribution
 * @param errors tests whether the forecast errors have the same distribution
 * @param histogram of the forecast errors
 */
public record Equivalence(
        Selection selection,
        SeriesFigures first,
        SeriesFigures second,
        Regression regression,
        long outliers,
        Regression regressionWithoutOutliers,
        @Nullable MeanRatio meanRatio,
        @Nullable MeanRatio meanRatioWithoutOutliers,
        Coverage mseIntervals,
        Coverage conformalIntervals,
        TwoSampleTest values,
        TwoSampleTest errors,
        ErrorHistogram histogram) {
    /** A pair is an outlier if one value is at least this many times the other: two orders of magnitude. */
    public static final int OUTLIER = 100;

    private static final double REQUIRED = .95;
    private static final double REQUIRED_CONFORMAL = .93;

    /**
     * Compares two series, each with at least one value. Uses about 150 bytes of memory for each value.
     *
     * @param selection how the forecasts are selected
     */
    public static Equivalence of(TimedSeries a, TimedSeries b, Selection selection) {
        ForecastTrace first = ForecastTrace.of(a, selection);
        ForecastTrace second = ForecastTrace.of(b, selection);
        Pairs pairs = Pairs.of(a, b);
        double[] x = values(a.values(), pairs.first());
        double[] y = values(b.values(), pairs.second());
        int[] kept = IntStream.range(0, x.length)
                .filter(pair -> !isOutlier(x[pair], y[pair]))
                .toArray();
        double[] keptX = values(x, kept);
        double[] keptY = values(y, kept);
        double[] knownA = known(a);
        double[] knownB = known(b);
        double[] errorsA = first.errors();
        double[] errorsB = second.errors();
        return new Equivalence(
                selection,
                SeriesFigures.of(a.name(), knownA, a.size() - knownA.length, errorsA),
                SeriesFigures.of(b.name(), knownB, b.size() - knownB.length, errorsB),
                Regression.of(x, y),
                x.length - kept.length,
                Regression.of(keptX, keptY),
                MeanRatio.of(x, y),
                MeanRatio.of(keptX, keptY),
                Coverage.of(Kind.MSE, first, second, pairs, REQUIRED),
                Coverage.of(Kind.CONFORMAL, first, second, pairs, REQUIRED_CONFORMAL),
                TwoSampleTest.of(knownA, knownB),
                TwoSampleTest.of(errorsA, errorsB),
                ErrorHistogram.of(errorsA, errorsB));
    }

    private static boolean isOutlier(double x, double y) {
        double less = Math.min(Math.abs(x), Math.abs(y));
        double greater = Math.max(Math.abs(x), Math.abs(y));
        return greater > 0 && greater >= OUTLIER * less;
    }

    private static double[] values(double[] all, int[] places) {
        return Arrays.stream(places).mapToDouble(place -> all[place]).toArray();
    }

    private static double[] known(TimedSeries series) {
        return Arrays.stream(series.values())
                .filter(value -> !Double.isNaN(value))
                .toArray();
    }

    /** Returns the name of the first series in tables: its file without the directory, unless both are equal. */
    public String firstLabel() {
        return hasFileNames() ? fileName(first) : "first";
    }

    /** Returns the name of the second series in tables, likewise. */
    public String secondLabel() {
        return hasFileNames() ? fileName(second) : "second";
    }

    private boolean hasFileNames() {
        return !fileName(first).equals(fileName(second));
    }

    private static String fileName(SeriesFigures series) {
        Path file = Path.of(series.name()).getFileName();
        return file == null ? series.name() : file.toString();
    }
}
