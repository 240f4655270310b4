package org.lagbench.analysis.forecast;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Histograms of the forecast errors of two series over the same {@value #BINS} bins, between the least and the greatest
 * error of both.
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
        double least = DoubleStream.concat(DoubleStream.of(first), DoubleStream.of(second))
                .min()
                .orElse(0);
        double greatest = DoubleStream.concat(DoubleStream.of(first), DoubleStream.of(second))
                .max()
                .orElse(0);
        double width = (greatest - least) / BINS;
        return new ErrorHistogram(least, width, counts(first, least, width), counts(second, least, width));
    }

    private static List<Long> counts(double[] errors, double from, double width) {
        long[] counts = new long[BINS];
        for (double error : errors) {
            counts[width > 0 ? (int) Math.min(BINS - 1.0, (error - from) / width) : 0]++;
        }
        return LongStream.of(counts).boxed().toList();
    }
}
