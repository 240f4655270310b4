package org.lagbench.analysis.forecast;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.SecondMoment;
import org.apache.commons.math3.stat.descriptive.moment.Variance;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.apache.commons.math3.stat.inference.MannWhitneyUTest;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.ForecastTrace.Pairs;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;

/**
 * The comparison of two series.
 *
 * @param first the first series
 * @param second the second series
 * @param regression over all pairs
 * @param outliers number of pairs of which one value is at least {@value #OUTLIER} times the other
 * @param regressionWithoutOutliers over the other pairs
 * @param meanRatio over all pairs; null if there is none, or a mean is not positive
 * @param meanRatioWithoutOutliers over the pairs without outliers; null as {@code meanRatio}
 * @param mseIntervals captured by forecast ± 2√MSE; 95 % is required (Krintz and Wolski 2000, section 5.2)
 * @param conformalIntervals captured by the adaptive conformal intervals for 95 %. Their share is about 95 % by
 *     construction, and their widths are estimates, so two percentage points less are required
 * @param values tests whether the values have the same distribution
 * @param errors tests whether the forecast errors have the same distribution
 * @param histogram of the forecast errors
 */
public record Equivalence(
        Selection selection,
        SeriesMetrics first,
        SeriesMetrics second,
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
                SeriesMetrics.of(a.name(), knownA, a.size() - knownA.length, errorsA),
                SeriesMetrics.of(b.name(), knownB, b.size() - knownB.length, errorsB),
                Regression.of(x, y),
                x.length - kept.length,
                Regression.of(keptX, keptY),
                MeanRatio.of(x, y),
                MeanRatio.of(keptX, keptY),
                Coverage.of(ForecastTrace::mse, first, second, pairs, REQUIRED),
                Coverage.of(ForecastTrace::conformal, first, second, pairs, REQUIRED_CONFORMAL),
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

    /** Returns the name of the second series in tables: the name of its file, or "second". */
    public String secondLabel() {
        return hasFileNames() ? fileName(second) : "second";
    }

    private boolean hasFileNames() {
        return !fileName(first).equals(fileName(second));
    }

    private static String fileName(SeriesMetrics series) {
        Path file = Path.of(series.name()).getFileName();
        return file == null ? series.name() : file.toString();
    }

    /**
     * How much of each series one kind of interval covers.
     *
     * @param first the intervals of the first series
     * @param second the intervals of the second series
     * @param required the share of the other series' values that the intervals of each must cover
     */
    public record Coverage(Shares first, Shares second, double required) {
        /** Returns the coverage by the intervals whose half widths are given. */
        static Coverage of(
                Function<ForecastTrace, double[]> halfWidths,
                ForecastTrace first,
                ForecastTrace second,
                Pairs pairs,
                double required) {
            return new Coverage(
                    Shares.of(halfWidths, first, pairs.first(), second, pairs.second()),
                    Shares.of(halfWidths, second, pairs.second(), first, pairs.first()),
                    required);
        }

        /** Returns whether the intervals of each series cover enough of the other's values: equally predictable. */
        public boolean isEquivalent() {
            return first.other() >= required && second.other() >= required;
        }

        /**
         * The shares of values inside the intervals of one series.
         *
         * @param own share of the series' own values
         * @param other share of the other series' values, each in the interval of the value with which it is a pair
         */
        public record Shares(double own, double other) {
            private static Shares of(
                    Function<ForecastTrace, double[]> halfWidths,
                    ForecastTrace trace,
                    int[] places,
                    ForecastTrace other,
                    int[] ofOther) {
                int[] all = IntStream.range(0, trace.values().length).toArray();
                double[] widths = halfWidths.apply(trace);
                return new Shares(
                        trace.share(widths, all, trace.values(), all),
                        trace.share(widths, places, other.values(), ofOther));
            }
        }
    }

    /**
     * Lines of least squares from the first series' values to the second's. Krintz and Wolski compare the slope with 1.
     * Their tables agree with a line through the origin: 1.18 for means of 1.41 and 1.66. NaN if there are too few
     * pairs.
     *
     * @param pairs number of pairs
     * @param slope of the line through the origin
     * @param rSquared of the line through the origin: 1 − its squared errors divided by the squared values
     * @param freeSlope of the line with an intercept
     * @param intercept where the line with an intercept is at 0
     * @param freeRSquared of the line with an intercept: the squared correlation
     */
    public record Regression(
            long pairs, double slope, double rSquared, double freeSlope, double intercept, double freeRSquared) {
        static Regression of(double[] x, double[] y) {
            SimpleRegression origin = new SimpleRegression(false);
            SimpleRegression free = new SimpleRegression(true);
            for (int i = 0; i < x.length; i++) {
                origin.addData(x[i], y[i]);
                free.addData(x[i], y[i]);
            }
            return new Regression(
                    x.length,
                    origin.getSlope(),
                    origin.getRSquare(),
                    free.getSlope(),
                    free.getIntercept(),
                    free.getRSquare());
        }
    }

    /**
     * Two tests of the hypothesis that two samples are from the same distribution. They assume independent values,
     * which neighboring values of a series are not: a small p-value may come from the correlation. With many values
     * they also detect differences that do not matter. NaN if a sample has too few values.
     *
     * @param greatestDifference of the two empirical distributions (Kolmogorov and Smirnov)
     * @param kolmogorovSmirnov its p-value
     * @param mannWhitney the p-value of Mann and Whitney's U, by its normal approximation
     */
    public record TwoSampleTest(double greatestDifference, double kolmogorovSmirnov, double mannWhitney) {
        private static final int MIN = 2;

        static TwoSampleTest of(double[] x, double[] y) {
            if (x.length < MIN || y.length < MIN) {
                return new TwoSampleTest(Double.NaN, Double.NaN, Double.NaN);
            }
            KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
            double difference = test.kolmogorovSmirnovStatistic(x, y);
            return new TwoSampleTest(
                    difference,
                    test.approximateP(difference, x.length, y.length),
                    new MannWhitneyUTest().mannWhitneyUTest(x, y));
        }
    }

    /**
     * Histograms of the forecast errors of two series over the same {@value #BINS} bins, between the smallest and the
     * largest error of both.
     *
     * @param from where the first bin begins
     * @param width of a bin
     * @param first counts of the first series
     * @param second counts of the second series
     */
    public record ErrorHistogram(double from, double width, List<Long> first, List<Long> second) {
        /** Number of bins, that of Krintz and Wolski. */
        public static final int BINS = 100;

        static ErrorHistogram of(double[] first, double[] second) {
            double min = DoubleStream.concat(DoubleStream.of(first), DoubleStream.of(second))
                    .min()
                    .orElse(0);
            double max = DoubleStream.concat(DoubleStream.of(first), DoubleStream.of(second))
                    .max()
                    .orElse(0);
            double width = (max - min) / BINS;
            return new ErrorHistogram(min, width, counts(first, min, width), counts(second, min, width));
        }

        private static List<Long> counts(double[] errors, double from, double width) {
            long[] counts = new long[BINS];
            for (double error : errors) {
                counts[width > 0 ? (int) Math.min(BINS - 1.0, (error - from) / width) : 0]++;
            }
            return LongStream.of(counts).boxed().toList();
        }
    }

    /**
     * The empirical distribution of the forecast errors of a series, at up to {@value #POINTS} of its values.
     *
     * @param errors ascending
     * @param fractions the share of errors up to each of them
     * @param upToZero the share of errors up to 0
     */
    public record ErrorCurve(List<Double> errors, List<Double> fractions, double upToZero) {
        static final int POINTS = 400;

        static ErrorCurve of(double[] errors) {
            double[] sorted = errors.clone();
            Arrays.sort(sorted);
            List<Double> values = new ArrayList<>();
            List<Double> fractions = new ArrayList<>();
            long previous = -1;
            for (int i = 0; i < POINTS && sorted.length > 0; i++) {
                long rank = (sorted.length - 1L) * i / (POINTS - 1);
                if (rank != previous) {
                    values.add(sorted[(int) rank]);
                    fractions.add((rank + 1.0) / sorted.length);
                }
                previous = rank;
            }
            long up = Arrays.stream(sorted).filter(error -> error <= 0).count();
            return new ErrorCurve(values, fractions, sorted.length == 0 ? Double.NaN : (double) up / sorted.length);
        }
    }

    /**
     * A series and how well it can be forecast.
     *
     * @param name where it is from
     * @param values number of known values
     * @param missing number of missing values
     * @param mean NaN without values
     * @param variance of the sample, divisor n − 1
     * @param mse mean squared error of its forecasts
     * @param mae mean absolute error of its forecasts
     * @param errors distribution of the errors of its forecasts
     */
    public record SeriesMetrics(
            String name,
            long values,
            long missing,
            double mean,
            double variance,
            double mse,
            double mae,
            ErrorCurve errors) {
        static SeriesMetrics of(String name, double[] known, long missing, double[] errors) {
            double squared = 0;
            double absolute = 0;
            for (double error : errors) {
                squared += error * error;
                absolute += Math.abs(error);
            }
            SecondMoment moment = new SecondMoment();
            moment.incrementAll(known);
            return new SeriesMetrics(
                    name,
                    known.length,
                    missing,
                    new Mean(moment).getResult(),
                    known.length < 2 ? Double.NaN : new Variance(moment).getResult(),
                    squared / errors.length,
                    absolute / errors.length,
                    ErrorCurve.of(errors));
        }
    }
}
