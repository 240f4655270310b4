package org.lagbench.analysis.tune;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.tune.Knob;

/**
 * What a tune found.
 *
 * @param knobs what was varied
 * @param rules what had to hold
 * @param decided whether the recommendation is proven; if not, the budget ended before
 * @param recommended the winner; null if none was proven to keep to the constraints
 * @param alike what was not told apart from the least median of those that keep to the constraints when the last stage
 *     ended; of them the smallest is recommended if it is not proven
 * @param closest what came closest to the constraints; null if something is recommended, or nothing was run
 * @param comparison with today's default
 * @param rows what was run, the smaller first, today's default last
 */
public record TuneResult(
        List<Knob> knobs,
        Rules rules,
        boolean decided,
        @Nullable Candidate recommended,
        List<Candidate> alike,
        @Nullable Candidate closest,
        Comparison comparison,
        List<Row> rows) {
    public TuneResult {
        knobs = List.copyOf(knobs);
        alike = List.copyOf(alike);
        rows = List.copyOf(rows);
    }

    /**
     * One candidate.
     *
     * @param verdict what its last stage proved
     * @param runs how many runs
     * @param objectiveNs median of the objective over the runs, in ns
     * @param loss share of all packets lost, from 0 to 1
     * @param goodputBitsPerS median over the runs
     */
    public record Row(
            Candidate candidate, Verdict verdict, int runs, double objectiveNs, double loss, double goodputBitsPerS) {
        static Row of(Candidate candidate, Verdict verdict, List<Trial> trials) {
            long sent = trials.stream().mapToLong(Trial::sent).sum();
            long lost = trials.stream().mapToLong(Trial::lost).sum();
            return new Row(
                    candidate,
                    verdict,
                    trials.size(),
                    Medians.objectiveNs(trials),
                    sent == 0 ? 0 : (double) lost / (double) sent,
                    Medians.goodputBitsPerS(trials));
        }
    }

    /** How many are tied with what is recommended, that one included. */
    public long tied() {
        return rows.stream().filter(row -> row.verdict() == Verdict.TIED).count();
    }

    /** How many were run. */
    public int runs() {
        return rows.stream().mapToInt(Row::runs).sum();
    }

    /** Whether nothing is to be gained over today's default, as far as is known. */
    public boolean isNoDifference() {
        return recommended != null && (recommended.isDefault() || (comparison.runs() > 0 && !comparison.isGain()));
    }
}
