package org.lagbench.analysis.tune;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.comparison.Verdict.Doubt;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.model.Tuning.Knob;

/**
 * The result of a tuning run.
 *
 * @param knobs the knobs that were varied
 * @param criteria the constraints and the indifference
 * @param decided whether the recommendation is proven; if not, the budget ended first
 * @param recommended the best candidate; null if none was proven to satisfy the constraints
 * @param alike the candidates that satisfy the constraints and could not be distinguished from the best median at the
 *     end of the last stage; without a proof, the smallest of them is the best
 * @param closest the candidate closest to the constraints; null if one is recommended, or nothing was run
 * @param comparison with the system default
 * @param rows what was run, the smaller first, the system default last
 * @param spoiledBy why the machine spoiled runs, which decide nothing
 * @param tail the probability of error at which the search begins to test a constraint
 */
public record TuneResult(
        List<Knob> knobs,
        TuneCriteria criteria,
        boolean decided,
        @Nullable TuneCandidate recommended,
        List<TuneCandidate> alike,
        @Nullable TuneCandidate closest,
        DefaultComparison comparison,
        List<CandidateResult> rows,
        List<RunMark> spoiledBy,
        double tail) {
    /**
     * The comparison of the system default with the recommended candidate, by runs that were executed for it alone, so
     * that the selection does not bias it.
     *
     * @param runs number of rounds that were compared
     * @param ofDefault median of the default's objective; NaN if there are no runs
     * @param ofRecommended that of the recommended candidate; NaN likewise
     * @param ratio how many times worse the first is than the second, round by round
     * @param verdict on the system default
     */
    public record DefaultComparison(int runs, double ofDefault, double ofRecommended, Interval ratio, Verdict verdict) {
        /** The comparison without any run. */
        public static final DefaultComparison NONE =
                new DefaultComparison(0, Double.NaN, Double.NaN, Interval.ofMedian(), Verdict.UNDECIDED);
    }

    /**
     * The result of one candidate.
     *
     * @param verdict what all its runs prove
     * @param runs number of runs that decide
     * @param spoiled number of runs that the machine spoiled, of which nothing else is known
     * @param objective median of the objective over the runs; NaN if no run has one
     * @param objectives the objective of each run that has one
     * @param loss share of all packets lost, in percent, with its 95 % interval
     * @param goodputBitsPerS mean over the runs
     * @param constrained the metric of each constraint over the runs, with its 95 % interval
     */
    public record CandidateResult(
            TuneCandidate candidate,
            CandidateVerdict verdict,
            int runs,
            int spoiled,
            double objective,
            List<Double> objectives,
            Interval loss,
            double goodputBitsPerS,
            List<Interval> constrained) {
        public CandidateResult {
            objectives = List.copyOf(objectives);
            constrained = List.copyOf(constrained);
        }

        /** Returns the verdict in tables. */
        public String verdictText() {
            Doubt doubt = doubt();
            return verdict.title() + (doubt == null ? "" : " (" + doubt.text() + ")");
        }

        /** Returns why nothing is decided; null if something is, or runs are missing. */
        public @Nullable Doubt doubt() {
            return verdict == CandidateVerdict.UNDECIDED && spoiled > 0 ? Doubt.SPOILED : null;
        }
    }

    /** Returns {@link ExitCode#MISSED} if each candidate that was run breaks a constraint. */
    public ExitCode exitCode() {
        if (recommended != null) {
            return ExitCode.OK;
        }
        boolean isMissed =
                !rows.isEmpty() && rows.stream().allMatch(row -> row.verdict() == CandidateVerdict.INFEASIBLE);
        return isMissed ? ExitCode.MISSED : ExitCode.UNDECIDED;
    }

    /** Returns the number of candidates that are tied with the recommended one, including it. */
    public long tied() {
        return rows.stream()
                .filter(row -> row.verdict() == CandidateVerdict.TIED)
                .count();
    }

    /** Returns the number of runs that decide. */
    public int runs() {
        return rows.stream().mapToInt(CandidateResult::runs).sum();
    }

    /** Returns the number of runs that the machine spoiled. */
    public int spoiledRuns() {
        return rows.stream().mapToInt(CandidateResult::spoiled).sum();
    }

    /** Returns whether the system default meets the constraints and no candidate is known to be better. */
    public boolean isNoDifference() {
        return recommended != null
                && (recommended.isDefault()
                        || (comparison.runs() > 0
                                && ofDefault()
                                        .filter(row -> row.verdict().isOut())
                                        .isEmpty()));
    }

    /** Returns the result of the system default; empty if it was not run. */
    public Optional<CandidateResult> ofDefault() {
        return rows.stream().filter(row -> row.candidate().isDefault()).findFirst();
    }

    /** Returns the best candidate's name in tables and figures. */
    public String bestTitle() {
        return isNoDifference() ? "best of these settings" : "recommended";
    }

    /** Returns the Pareto front of more goodput and a better objective, sorted by goodput. */
    public List<CandidateResult> frontier() {
        return rows.stream()
                .filter(row -> row.objective() >= 0)
                .filter(row -> rows.stream().noneMatch(other -> dominates(other, row)))
                .sorted(Comparator.comparingDouble(CandidateResult::goodputBitsPerS))
                .toList();
    }

    private boolean dominates(CandidateResult a, CandidateResult b) {
        int byGoodput = Double.compare(a.goodputBitsPerS(), b.goodputBitsPerS());
        int byObjective = criteria.smallerIsBetter()
                ? Double.compare(b.objective(), a.objective())
                : Double.compare(a.objective(), b.objective());
        return byGoodput >= 0 && byObjective >= 0 && byGoodput + byObjective > 0;
    }

    /** What the runs have proven about a candidate: the same in text, tables and figures. */
    public enum CandidateVerdict {
        INFEASIBLE("breaks a constraint"),
        /**
         * Another candidate that satisfies the constraints is better by more than the indifference. For the system
         * default: the comparison with the best candidate proves that it is worse, and not that both are within the
         * indifference.
         */
        WORSE("worse"),
        /** The candidate satisfies the constraints, and so does a smaller one: only if a setting is minimized. */
        LARGER("larger than needed"),
        /** The candidate satisfies the constraints and is within the indifference of every remaining candidate. */
        TIED("as good as any"),
        /** None of the other verdicts is proven. */
        UNDECIDED("undecided");

        private final String title;

        CandidateVerdict(String title) {
            this.title = title;
        }

        /** Returns whether the candidate is proven not to be the best. */
        public boolean isOut() {
            return this == INFEASIBLE || this == WORSE || this == LARGER;
        }

        /** Returns the title in tables. */
        public String title() {
            return title;
        }
    }
}
