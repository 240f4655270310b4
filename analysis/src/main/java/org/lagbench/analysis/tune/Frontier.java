package org.lagbench.analysis.tune;

import java.util.Comparator;
import java.util.List;

/** The candidates of which none else has both more goodput and less of the objective: what one pays for the other. */
public final class Frontier {
    private Frontier() {}

    /** Them, by goodput. */
    public static List<TuneResult.Row> of(TuneResult result) {
        return result.rows().stream()
                .filter(row -> Double.isFinite(row.objectiveNs()))
                .filter(row -> result.rows().stream().noneMatch(other -> dominates(other, row)))
                .sorted(Comparator.comparingDouble(TuneResult.Row::goodputBitsPerS))
                .toList();
    }

    private static boolean dominates(TuneResult.Row a, TuneResult.Row b) {
        return a.goodputBitsPerS() >= b.goodputBitsPerS()
                && a.objectiveNs() <= b.objectiveNs()
                && (a.goodputBitsPerS() > b.goodputBitsPerS() || a.objectiveNs() < b.objectiveNs());
    }
}
