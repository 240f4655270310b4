package org.lagbench.analysis.forecast;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

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
