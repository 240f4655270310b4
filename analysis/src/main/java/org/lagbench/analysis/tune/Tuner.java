package org.lagbench.analysis.tune;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Knob;
import org.lagbench.core.yaml.RunOrder;

/**
 * Decides which candidate to run next, and computes the result. Its decisions depend on the seed and the trials alone,
 * so that an interrupted tune resumes if its trials are replayed. It runs nothing itself. Not thread-safe.
 *
 * <p>A tune has stages: the coarse grid; then the middles around its winner, as long as they may improve the result;
 * then the {@link DefaultComparison} of the winner. Two candidates are compared by the rounds of all stages in which
 * both were run, so that only runs of the same time are compared. The error probability is {@value #LEVEL}; each search
 * stage may use half of what the earlier ones left of it. A winner that breaks a constraint while it is compared with
 * today's default is replaced by the next.
 */
public final class Tuner {
    /** The probability that a decided result is wrong. */
    public static final double LEVEL = 0.05;

    /** The least number of runs of the winner and of today's default for their comparison. */
    public static final int CONFIRMING_ROUNDS = DefaultComparison.FIRST_ROUNDS;

    private static final int MOST_REFINEMENTS = 4;

    private final List<Knob> knobs;
    private final CandidateGrid grid;
    private final TuneCriteria criteria;
    private final Judge judge;
    private final Comparator<TuneCandidate> smallerFirst;
    private final RunOrder order;
    private final Deque<TuneCandidate> round = new ArrayDeque<>();
    private final TrialLog log = new TrialLog();
    private final Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
    private SearchStage stage;
    private int stages;

    /** The last round before those that compare the winner with today's default. */
    private int confirmsAfter;

    private @Nullable TuneCandidate winner;
    private List<TuneCandidate> alike = List.of();
    private boolean decided = true;
    private Phase phase = Phase.SEARCHING;
    private @Nullable TuneCandidate requested;

    private enum Phase {
        SEARCHING,
        CONFIRMING,
        OVER
    }

    /**
     * Creates a tune of some knobs.
     *
     * @param seed of the order of the runs within each round
     */
    public Tuner(List<Knob> knobs, TuneCriteria criteria, long seed) {
        this.knobs = List.copyOf(knobs);
        this.grid = new CandidateGrid(knobs);
        this.criteria = criteria;
        this.judge = new Judge(criteria, log);
        this.smallerFirst = grid.smallerFirst();
        this.order = new RunOrder(seed);
        this.stage = stage(grid.coarse());
    }

    /** Returns the candidate to run next; empty at the end. */
    public Optional<TuneCandidate> next() {
        while (phase != Phase.OVER && round.isEmpty()) {
            beginRound();
        }
        requested = round.peek();
        return Optional.ofNullable(requested);
    }

    /** Accepts the result of the run that {@link #next} requested. */
    public void accept(Trial trial) {
        TuneCandidate candidate = requested;
        if (candidate == null) {
            throw new IllegalStateException("no run was requested");
        }
        round.remove();
        requested = null;
        log.add(candidate, trial);
        if (round.isEmpty() && phase == Phase.SEARCHING) {
            stage.endRound();
        }
    }

    /**
     * Ends the coarse grid if a round has just ended and there is a winner so far, decided or not: the search around it
     * is worth more than a proof among distant candidates.
     */
    public void refine() {
        if (phase == Phase.SEARCHING
                && stages == 1
                && round.isEmpty()
                && stage.winner().isPresent()) {
            stage.end();
        }
    }

    /** Ends the search, decided or not; the winner so far is compared with today's default. */
    public void endSearch() {
        if (phase == Phase.SEARCHING) {
            round.clear();
            stage.end();
            endStage();
            beginConfirming();
        }
    }

    public void end() {
        endSearch();
        round.clear();
        dropBrokenWinner();
        phase = Phase.OVER;
    }

    /** Returns whether the search goes on. */
    public boolean isSearching() {
        return phase == Phase.SEARCHING;
    }

    /** Returns the current phase, for a progress line. */
    public String phaseText() {
        return phase != Phase.SEARCHING ? "confirming" : stages == 1 ? "coarse grid" : "refinement " + (stages - 1);
    }

    /** Returns the number of remaining candidates. */
    public int contenders() {
        return contendersOfRound().size();
    }

    /** Returns the result so far. */
    public TuneResult result() {
        DefaultComparison comparison = comparison();
        Map<TuneCandidate, CandidateVerdict> last = judge.finalVerdicts(verdicts, winner, comparison);
        List<TuneResult.CandidateResult> rows = new ArrayList<>();
        last.forEach(
                (candidate, verdict) -> rows.add(TuneResult.CandidateResult.of(candidate, verdict, log.of(candidate))));
        rows.sort(Comparator.comparing(TuneResult.CandidateResult::candidate, smallerFirst));
        TuneCandidate closest = winner != null
                ? null
                : log.candidates().stream()
                        .min(Comparator.comparingDouble((TuneCandidate candidate) -> criteria.excess(log.of(candidate)))
                                .thenComparing(smallerFirst))
                        .orElse(null);
        return new TuneResult(
                knobs,
                criteria,
                decided && winner != null && last.get(winner) != CandidateVerdict.UNCLEAR,
                winner,
                winner == null
                        ? List.of()
                        : alike.stream()
                                .filter(candidate -> last.get(candidate) == CandidateVerdict.TIED
                                        || last.get(candidate) == CandidateVerdict.UNCLEAR)
                                .toList(),
                closest,
                comparison,
                rows);
    }

    private List<TuneCandidate> contendersOfRound() {
        return isConfirming() ? List.of(Objects.requireNonNull(winner), TuneCandidate.DEFAULT) : stage.round();
    }

    private boolean isConfirming() {
        return confirmsAfter > 0;
    }

    /** Returns the comparison of the winner with today's default so far. */
    private DefaultComparison comparison() {
        TuneCandidate best = winner;
        return best == null || !isConfirming()
                ? DefaultComparison.NONE
                : DefaultComparison.of(log.since(confirmsAfter, TuneCandidate.DEFAULT), log.since(confirmsAfter, best));
    }

    private void beginRound() {
        if (phase == Phase.SEARCHING && stage.isOver()) {
            nextStage();
        } else if (dropBrokenWinner()) {
            beginConfirming();
        } else if (isConfirming() && comparison().isOver(criteria.indifference())) {
            phase = Phase.OVER;
        } else {
            log.beginRound();
            List<TuneCandidate> candidates = contendersOfRound();
            for (int index : order.next(candidates.size())) {
                round.add(candidates.get(index));
            }
        }
    }

    private void nextStage() {
        endStage();
        TuneCandidate best = winner;
        List<TuneCandidate> middles =
                best == null || stages > MOST_REFINEMENTS ? List.of() : grid.around(best, verdicts);
        if (best == null || middles.isEmpty()) {
            beginConfirming();
        } else {
            List<TuneCandidate> next = new ArrayList<>(middles);
            next.add(best);
            next.addAll(stage.smallerUnclear(best));
            stage = stage(next);
        }
    }

    private void endStage() {
        decided &= stage.isDecided();
        TuneCandidate former = winner;
        boolean isFormerOut = former == null
                || verdicts.get(former) == CandidateVerdict.INFEASIBLE
                || verdicts.get(former) == CandidateVerdict.WORSE;
        // if the rounds are too few to prove that another candidate satisfies the constraints, today's default is not
        // the winner
        Optional<TuneCandidate> found =
                stage.winner().filter(candidate -> isFormerOut || stage.isDecided() || !candidate.isDefault());
        if (found.isPresent()) {
            alike = stage.alike();
        }
        winner = found.orElse(former != null && verdicts.get(former) == CandidateVerdict.INFEASIBLE ? null : former);
    }

    /**
     * Replaces the winner if its runs prove that it breaks a constraint: by the smallest candidate tied with it, else
     * by the one with the least median. Returns whether it did.
     */
    private boolean dropBrokenWinner() {
        TuneCandidate broken = winner;
        if (broken == null || !isConfirming() || !judge.isBroken(broken)) {
            return false;
        }
        verdicts.put(broken, CandidateVerdict.INFEASIBLE);
        alike = alike.stream().filter(candidate -> !candidate.equals(broken)).toList();
        winner = alike.stream().min(smallerFirst).or(this::leastMedian).orElse(null);
        decided = false;
        confirmsAfter = 0;
        return true;
    }

    /**
     * Returns the candidate with the least median of its runs, except today's default and those that break a
     * constraint.
     */
    private Optional<TuneCandidate> leastMedian() {
        return log.candidates().stream()
                .filter(candidate -> !candidate.isDefault() && !judge.isBroken(candidate))
                .min(Comparator.comparingDouble(
                                (TuneCandidate candidate) -> Trial.median(Trial.objectivesNs(log.of(candidate))))
                        .thenComparing(smallerFirst));
    }

    private void beginConfirming() {
        TuneCandidate best = winner;
        if (best == null || best.isDefault()) {
            phase = Phase.OVER;
        } else {
            phase = Phase.CONFIRMING;
            confirmsAfter = log.round();
        }
    }

    private SearchStage stage(List<TuneCandidate> candidates) {
        stages++;
        return new SearchStage(candidates, judge, verdicts, smallerFirst, LEVEL * Math.pow(0.5, stages));
    }
}
