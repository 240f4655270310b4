package org.lagbench.analysis.tune;

import java.util.Comparator;
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
        TuneCriteria rules,
        boolean decided,
        @Nullable TuneCandidate recommended,
        List<TuneCandidate> alike,
        @Nullable TuneCandidate closest,
        DefaultComparison comparison,
        List<CandidateResult> rows) {
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
    public record CandidateResult(
            TuneCandidate candidate,
            CandidateVerdict verdict,
            int runs,
            double objectiveNs,
            double loss,
            double goodputBitsPerS) {
        static CandidateResult of(TuneCandidate candidate, CandidateVerdict verdict, List<Trial> trials) {
            long sent = trials.stream().mapToLong(Trial::sent).sum();
            long lost = trials.stream().mapToLong(Trial::lost).sum();
            return new CandidateResult(
                    candidate,
                    verdict,
                    trials.size(),
                    Trial.median(trials, Trial::objectiveNs),
                    sent == 0 ? 0 : (double) lost / (double) sent,
                    Trial.median(trials, Trial::goodputBitsPerS));
        }
    }

    /** How many are tied with what is recommended, that one included. */
    public long tied() {
        return rows.stream()
                .filter(row -> row.verdict() == CandidateVerdict.TIED)
                .count();
    }

    /** How many were run. */
    public int runs() {
        return rows.stream().mapToInt(CandidateResult::runs).sum();
    }

    /** Whether nothing is to be gained over today's default, as far as is known. */
    public boolean isNoDifference() {
        return recommended != null && (recommended.isDefault() || (comparison.runs() > 0 && !comparison.isGain()));
    }

    /**
     * The candidates of which none else has both more goodput and less of the objective, by goodput: what one pays for
     * the other.
     */
    public List<CandidateResult> frontier() {
        return rows.stream()
                .filter(row -> Double.isFinite(row.objectiveNs()))
                .filter(row -> rows.stream().noneMatch(other -> dominates(other, row)))
                .sorted(Comparator.comparingDouble(CandidateResult::goodputBitsPerS))
                .toList();
    }

    private static boolean dominates(CandidateResult a, CandidateResult b) {
        return a.goodputBitsPerS() >= b.goodputBitsPerS()
                && a.objectiveNs() <= b.objectiveNs()
                && (a.goodputBitsPerS() > b.goodputBitsPerS() || a.objectiveNs() < b.objectiveNs());
    }
}
