package org.lagbench.analysis.tune;

import java.util.List;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;

/** Medians of runs. */
final class Medians {
    private Medians() {}

    static double objectiveNs(List<Trial> trials) {
        return of(trials.stream().mapToDouble(Trial::objectiveNs).toArray());
    }

    static double goodputBitsPerS(List<Trial> trials) {
        return of(trials.stream().mapToDouble(Trial::goodputBitsPerS).toArray());
    }

    private static double of(double[] values) {
        return new Percentile().withEstimationType(EstimationType.R_7).evaluate(values, 50);
    }
}
