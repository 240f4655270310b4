package org.lagbench.analysis.tune;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.RatioEstimate;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.analysis.tune.TuneResult.DefaultComparison;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.RunOrder;

/**
 * Finds the best candidate of a grid.
 *
 * <p>A tuning run has stages: the coarse grid; then the middles around its winner, as long as they may improve the
 * result; then {@value #CONFIRMING_ROUNDS} rounds that compare the winner with the system default. Each stage of the
 * search makes rounds until its winner is decided. Candidates that are proven to break a constraint or to be worse are
 * no longer run.
 *
 * <p>A candidate is worse if it is proven to be worse by more than the indifference than another one that satisfies the
 * constraints. It is tied only if it is proven to be as good as every remaining candidate. Because repeated evaluation
 * makes errors likelier, the n-th evaluation may use 1 / (n·(n + 1)) of the error probability of {@value #LEVEL}: half
 * of it for the constraints and half for the comparisons, and for K candidates each proof 1 / (K − 1) of that
 * (Bonferroni). So the probability of excluding the best candidate is at most {@value #LEVEL}, however the candidates
 * were chosen.
 */
public final class Tuner implements TuneSearch {
    /** The number of runs of the winner and of the system default for their comparison. */
    public static final int CONFIRMING_ROUNDS = 20;

    private static final int MAX_REFINEMENTS = 4;
    private static final int FIRST_EVALUATION = RepeatEstimate.MIN;
    private static final int MAX_ROUNDS = 48;

    /** So often a run is repeated in its round if the machine spoils it; then the others of the round are run. */
    private static final int MAX_SPOILED = 4;

    /** The level at which all runs of a candidate prove that it breaks a constraint, after repeated tests of many. */
    private static final double BROKEN_LEVEL = LEVEL / 32;

    private final List<Knob> knobs;
    private final CandidateGrid grid;
    private final TuneCriteria criteria;
    private final boolean triesDefault;
    private final Comparator<TuneCandidate> smallerFirst;
    private final RunOrder order;
    private final TrialLog log;
    private final Deque<TuneCandidate> round = new ArrayDeque<>();
    private final Contenders contenders;
    private Phase phase = Phase.SEARCHING;
    private final double tail;
    private int stages;

    /** How many runs of the requested candidate in succession were spoiled. */
    private int spoiledInTurn;

    /** The last round before the stage. */
    private int beganAfter;

    private int nextEvaluation;
    private @Nullable TuneCandidate winner;
    private List<TuneCandidate> alike = List.of();
    private boolean isProven;
    private boolean decided = true;

    private enum Phase {
        SEARCHING,
        STAGE_OVER,
        CONFIRMING,
        OVER
    }

    /**
     * Creates a tuner of these knobs.
     *
     * @param triesDefault whether the system default is a candidate; its settings have no known values
     * @param seed of the order of the runs within each round
     */
    public Tuner(List<Knob> knobs, TuneCriteria criteria, boolean triesDefault, long seed) {
        this.knobs = List.copyOf(knobs);
        this.grid = new CandidateGrid(knobs);
        this.criteria = criteria;
        this.triesDefault = triesDefault;
        this.log = new TrialLog(criteria);
        this.smallerFirst = grid.smallerFirst();
        this.contenders = new Contenders(log, criteria, smallerFirst);
        this.order = new RunOrder(seed);
        this.tail = Contenders.level(1, grid.coarse().size() + (triesDefault ? 1 : 0));
        beginStage(grid.coarse());
    }

    @Override
    public Optional<TuneCandidate> next() {
        while (phase != Phase.OVER && round.isEmpty()) {
            beginRound();
        }
        return Optional.ofNullable(round.peek());
    }

    @Override
    public void accept(Trial trial) {
        if (trial.isSpoiled()) {
            spoiledInTurn++;
            log.addSpoiled(round.element(), trial);
            if (spoiledInTurn < MAX_SPOILED) {
                return;
            }
            round.remove();
        } else {
            log.add(round.remove(), trial);
        }
        spoiledInTurn = 0;
        if (round.isEmpty() && phase == Phase.SEARCHING) {
            endRound();
        }
    }

    /**
     * {@inheritDoc} Spends at most half of the budget on the coarse grid, and reserves enough for the comparison with
     * the system default, but at most a third.
     */
    @Override
    public void budget(long runs, long runsLeft) {
        if (2 * runsLeft <= runs) {
            refine();
        }
        if (isSearching() && runsLeft <= Math.min(2L * CONFIRMING_ROUNDS, runs / 3)) {
            endSearch();
        }
        if (runsLeft <= 0) {
            end();
        }
    }

    /**
     * Ends the coarse grid if a round has just ended and there is a winner so far, decided or not: the search around it
     * is worth more than a proof among distant candidates.
     */
    private void refine() {
        if (phase == Phase.SEARCHING
                && stages == 1
                && round.isEmpty()
                && !alikeSoFar().isEmpty()) {
            endStage();
        }
    }

    /** Ends the search, decided or not; the winner so far is compared with the system default. */
    private void endSearch() {
        round.clear();
        endStage();
        beginConfirming();
    }

    /** Ends the tuning. The winner must also meet the constraints by the runs that came later. */
    private void end() {
        round.clear();
        if (winner != null && !isKept(winner)) {
            replaceWinner(this::isKept);
        }
        phase = Phase.OVER;
    }

    /** Returns whether the search goes on. */
    public boolean isSearching() {
        return phase == Phase.SEARCHING || phase == Phase.STAGE_OVER;
    }

    @Override
    public String phaseText() {
        return !isSearching() ? "confirming" : stages == 1 ? "coarse grid" : "refinement " + (stages - 1);
    }

    @Override
    public int contenders() {
        return contenders.list().size();
    }

    @Override
    public TuneResult result() {
        DefaultComparison comparison = comparison();
        Map<TuneCandidate, CandidateVerdict> last = finalVerdicts(comparison);
        List<TuneResult.CandidateResult> rows = new ArrayList<>();
        last.forEach((candidate, verdict) -> rows.add(log.result(candidate, verdict, criteria.constraints())));
        rows.sort(Comparator.comparing(TuneResult.CandidateResult::candidate, smallerFirst));
        TuneCandidate closest = winner != null
                ? null
                : log.candidates().stream()
                        .filter(candidate -> !log.of(candidate).isEmpty())
                        .min(Comparator.comparingDouble((TuneCandidate candidate) -> criteria.excess(log.of(candidate)))
                                .thenComparing(smallerFirst))
                        .orElse(null);
        return new TuneResult(
                knobs,
                criteria,
                decided && winner != null && last.get(winner) != CandidateVerdict.UNDECIDED,
                winner,
                winner == null
                        ? List.of()
                        : alike.stream()
                                .filter(candidate -> last.get(candidate) == CandidateVerdict.TIED
                                        || last.get(candidate) == CandidateVerdict.UNDECIDED)
                                .toList(),
                closest,
                comparison,
                rows,
                log.spoiledBy(),
                tail);
    }

    /** Returns the comparison of the winner with the system default so far. */
    private DefaultComparison comparison() {
        TuneCandidate best = winner;
        if (best == null || isSearching() || best.isDefault() || !triesDefault) {
            return DefaultComparison.NONE;
        }
        RatioEstimate.OfRepeats ratio = new RatioEstimate.OfRepeats(
                log.ratios(beganAfter, TuneCandidate.DEFAULT, best),
                log.median(beganAfter, best),
                log.median(beganAfter, TuneCandidate.DEFAULT));
        return new DefaultComparison(
                ratio.ratios().length,
                ratio.compared(),
                ratio.baseline(),
                ratio.ratio(),
                ratio.verdict(criteria.indifference(), 0, true));
    }

    /**
     * Returns the verdict on each candidate. A candidate whose runs break a constraint is infeasible; for others it is
     * what the search has proven. If the winner was compared with the system default, that comparison decides about
     * both.
     */
    private Map<TuneCandidate, CandidateVerdict> finalVerdicts(DefaultComparison comparison) {
        Map<TuneCandidate, CandidateVerdict> last = new LinkedHashMap<>();
        log.candidates()
                .forEach(candidate -> last.put(
                        candidate,
                        isBroken(candidate)
                                ? CandidateVerdict.INFEASIBLE
                                : contenders.verdicts().getOrDefault(candidate, CandidateVerdict.UNDECIDED)));
        if (winner != null && comparison.runs() > 0 && !isBroken(TuneCandidate.DEFAULT)) {
            boolean isDefaultKept = isKept(TuneCandidate.DEFAULT);
            last.put(
                    TuneCandidate.DEFAULT,
                    switch (comparison.verdict()) {
                        case WORSE -> CandidateVerdict.WORSE;
                        case EQUIVALENT, BETTER -> isDefaultKept ? CandidateVerdict.TIED : CandidateVerdict.UNDECIDED;
                        case UNDECIDED -> CandidateVerdict.UNDECIDED;
                    });
            if (isDefaultKept && comparison.verdict() == Verdict.BETTER) {
                last.replace(winner, CandidateVerdict.TIED, CandidateVerdict.WORSE);
            }
        }
        return last;
    }

    /** Returns whether all runs of a candidate prove that it breaks a constraint. */
    private boolean isBroken(TuneCandidate candidate) {
        return criteria.isClearlyBroken(log.of(candidate)) || criteria.isBroken(log.of(candidate), BROKEN_LEVEL);
    }

    /** Returns whether all runs of a candidate prove that it meets the constraints. */
    private boolean isKept(TuneCandidate candidate) {
        return criteria.isKept(log.of(candidate), LEVEL);
    }

    private void beginRound() {
        if (phase == Phase.STAGE_OVER) {
            nextStage();
        } else if (dropBrokenWinner()) {
            beginConfirming();
        } else if (phase == Phase.CONFIRMING && log.round() - beganAfter >= CONFIRMING_ROUNDS) {
            end();
        } else {
            log.beginRound();
            List<TuneCandidate> candidates = contenders.list();
            for (int index : order.next(candidates.size())) {
                round.add(candidates.get(index));
            }
        }
    }

    private void evaluate() {
        contenders.evaluate();
        isProven = contenders
                .smallestTied()
                .filter(smallest -> contenders.smallerUnclear(smallest).isEmpty())
                .isPresent();
    }

    private void endRound() {
        int rounds = log.round() - beganAfter;
        contenders.dropClearlyBroken();
        if (rounds >= nextEvaluation) {
            evaluate();
            nextEvaluation *= 2;
        }
        if (isProven || rounds >= MAX_ROUNDS || contenders.list().isEmpty()) {
            endStage();
        }
    }

    /**
     * Returns the contenders that satisfy the constraints and cannot be distinguished from the one with the best
     * median, so far. The system default is included only if it is the only one.
     */
    private List<TuneCandidate> alikeSoFar() {
        List<TuneCandidate> kept =
                contenders.list().stream().filter(this::isKept).toList();
        return log.alike(kept.stream()
                .filter(candidate -> kept.size() == 1 || !candidate.isDefault())
                .toList());
    }

    private void beginStage(List<TuneCandidate> candidates) {
        phase = Phase.SEARCHING;
        stages++;
        beganAfter = log.round();
        nextEvaluation = FIRST_EVALUATION;
        isProven = false;
        List<TuneCandidate> all = new ArrayList<>(candidates);
        if (triesDefault) {
            all.add(TuneCandidate.DEFAULT);
        }
        contenders.replace(all);
        contenders.reopen();
    }

    /**
     * Ends a stage. Its winner is the smallest that is proven to be tied; without a proof, the smallest of the
     * indistinguishable ones.
     */
    private void endStage() {
        if (!isProven && !contenders.list().isEmpty()) {
            evaluate();
        }
        phase = Phase.STAGE_OVER;
        decided &= isProven;
        List<TuneCandidate> found = alikeSoFar();
        if (!found.isEmpty()) {
            alike = found;
            winner = isProven
                    ? contenders.smallestTied().orElseThrow()
                    : found.stream().min(smallerFirst).orElseThrow();
        } else if (winner != null && contenders.verdicts().get(winner) == CandidateVerdict.INFEASIBLE) {
            winner = null;
        }
    }

    private void nextStage() {
        TuneCandidate best = winner;
        List<TuneCandidate> next = new ArrayList<>(
                best == null || stages > MAX_REFINEMENTS ? List.of() : grid.around(best, contenders.verdicts()));
        if (best == null || next.isEmpty()) {
            beginConfirming();
        } else {
            next.add(best);
            next.addAll(contenders.smallerUnclear(best));
            beginStage(next);
        }
    }

    /**
     * Replaces the winner if its runs prove that it violates a constraint. The new winner is the smallest candidate
     * among those tied with the best of the others. Returns whether the winner changed.
     */
    private boolean dropBrokenWinner() {
        TuneCandidate broken = winner;
        if (broken == null || phase != Phase.CONFIRMING || !isBroken(broken)) {
            return false;
        }
        contenders.dropBroken(broken);
        replaceWinner(candidate -> !isBroken(candidate));
        return true;
    }

    private void replaceWinner(Predicate<TuneCandidate> isPossible) {
        alike = log.alike(log.candidates().stream()
                .filter(candidate -> !candidate.isDefault() && isPossible.test(candidate))
                .toList());
        winner = alike.stream().min(smallerFirst).orElse(null);
        decided = false;
    }

    private void beginConfirming() {
        TuneCandidate best = winner;
        beganAfter = log.round();
        if (best == null || best.isDefault() || !triesDefault) {
            phase = Phase.OVER;
        } else {
            phase = Phase.CONFIRMING;
            contenders.replace(List.of(best, TuneCandidate.DEFAULT));
        }
    }
}
