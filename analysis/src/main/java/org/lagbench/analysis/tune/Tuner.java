package org.lagbench.analysis.tune;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.RunOrder;
import org.lagbench.core.tune.Knob;

/**
 * Says what to run next, and at the end what was found. What it says follows from the seed and the trials alone, so
 * that a tune goes on where it was interrupted if it is told the trials so far again. Pure: it runs nothing itself.
 * Used by one thread.
 *
 * <p>It goes in stages, each with runs of its own, so that only runs of the same time are compared: the coarse grid;
 * then the middles around its winner, as long as that pays; then the {@link Confirmation} of the winner. Each stage of
 * the search is allowed half the errors that those before have left of {@value #LEVEL}.
 */
public final class Tuner {
    /** The probability that what is called decided is not so. */
    public static final double LEVEL = 0.05;

    /** How often the winner and today's default are run for their comparison, at least. */
    public static final int CONFIRMING_ROUNDS = Confirmation.FIRST_ROUNDS;

    private static final int MOST_REFINEMENTS = 4;

    private final List<Knob> knobs;
    private final CandidateGrid grid;
    private final TuneCriteria rules;
    private final Judge judge;
    private final Comparator<TuneCandidate> smallerFirst;
    private final RunOrder order;
    private final Deque<TuneCandidate> round = new ArrayDeque<>();
    private final Map<TuneCandidate, List<Trial>> all = new LinkedHashMap<>();
    private final Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
    private @Nullable Confirmation confirmation;
    private SearchStage stage;
    private int stages;
    private @Nullable TuneCandidate winner;
    private List<TuneCandidate> alike = List.of();
    private boolean decided = true;
    private Phase phase = Phase.SEARCHING;
    private @Nullable TuneCandidate asked;

    private enum Phase {
        SEARCHING,
        CONFIRMING,
        OVER
    }

    /**
     * A tune of these knobs.
     *
     * @param seed of the order of the runs within each round
     */
    public Tuner(List<Knob> knobs, TuneCriteria rules, long seed) {
        this.knobs = List.copyOf(knobs);
        this.grid = new CandidateGrid(knobs);
        this.rules = rules;
        this.judge = new Judge(rules);
        this.smallerFirst = grid.smallerFirst();
        this.order = new RunOrder(seed);
        List<TuneCandidate> first = new ArrayList<>(grid.coarse());
        first.add(TuneCandidate.DEFAULT);
        this.stage = stage(first);
    }

    /** What to run next; nothing at the end. */
    public Optional<TuneCandidate> next() {
        while (phase != Phase.OVER && round.isEmpty()) {
            beginRound();
        }
        asked = round.peek();
        return Optional.ofNullable(asked);
    }

    /** What the run that was asked for showed. */
    public void accept(Trial trial) {
        TuneCandidate candidate = asked;
        if (candidate == null) {
            throw new IllegalStateException("no run was asked for");
        }
        round.remove();
        asked = null;
        all.computeIfAbsent(candidate, one -> new ArrayList<>()).add(trial);
        if (confirmation != null) {
            confirmation.add(candidate, trial);
            return;
        }
        stage.add(candidate, trial);
        if (round.isEmpty()) {
            stage.endRound();
        }
    }

    /**
     * The coarse grid ends here if a round has just ended and it has a winner so far, decided or not, and the search
     * goes on around it: that is worth more than a proof among candidates that are far apart.
     */
    public void lookCloser() {
        if (phase == Phase.SEARCHING
                && stages == 1
                && round.isEmpty()
                && stage.winner().isPresent()) {
            stage.end();
        }
    }

    /** The search ends here, decided or not; the winner so far is compared with today's default. */
    public void endSearch() {
        if (phase == Phase.SEARCHING) {
            round.clear();
            stage.end();
            decided &= stage.isDecided();
            endStage();
            beginConfirming();
        }
    }

    /** Nothing more is run. */
    public void end() {
        endSearch();
        round.clear();
        phase = Phase.OVER;
    }

    /** Whether candidates are still looked for, and not the winner compared. */
    public boolean isSearching() {
        return phase == Phase.SEARCHING;
    }

    /** What is going on, for a line of progress. */
    public String phaseText() {
        return phase != Phase.SEARCHING ? "confirming" : stages == 1 ? "coarse grid" : "refinement " + (stages - 1);
    }

    /** How many candidates are still in. */
    public int contenders() {
        return confirmation != null
                ? confirmation.round().size()
                : stage.round().size();
    }

    /** What was found so far. */
    public TuneResult result() {
        List<TuneResult.CandidateResult> rows = new ArrayList<>();
        all.forEach((candidate, trials) -> rows.add(TuneResult.CandidateResult.of(
                candidate, verdicts.getOrDefault(candidate, CandidateVerdict.UNCLEAR), trials)));
        rows.sort(Comparator.comparing(TuneResult.CandidateResult::candidate, smallerFirst));
        TuneCandidate closest = winner != null
                ? null
                : all.keySet().stream()
                        .min(Comparator.comparingDouble(
                                        (TuneCandidate candidate) -> rules.excess(all.getOrDefault(candidate, List.of())))
                                .thenComparing(smallerFirst))
                        .orElse(null);
        return new TuneResult(
                knobs,
                rules,
                decided && winner != null,
                winner,
                winner == null ? List.of() : alike,
                closest,
                confirmation == null ? DefaultComparison.NONE : confirmation.comparison(),
                rows);
    }

    private void beginRound() {
        if (phase == Phase.SEARCHING && stage.isOver()) {
            decided &= stage.isDecided();
            nextStage();
            return;
        }
        if (confirmation != null && confirmation.isOver()) {
            phase = Phase.OVER;
            return;
        }
        List<TuneCandidate> candidates = confirmation == null ? stage.round() : confirmation.round();
        for (int index : order.next(candidates.size())) {
            round.add(candidates.get(index));
        }
    }

    private void nextStage() {
        endStage();
        TuneCandidate best = winner;
        if (best == null || stages > MOST_REFINEMENTS) {
            beginConfirming();
            return;
        }
        List<TuneCandidate> middles = grid.around(best, verdicts);
        if (middles.isEmpty()) {
            beginConfirming();
            return;
        }
        List<TuneCandidate> next = new ArrayList<>(middles);
        next.add(best);
        next.addAll(stage.smallerUnclear(best));
        if (!next.contains(TuneCandidate.DEFAULT)) {
            next.add(TuneCandidate.DEFAULT);
        }
        stage = stage(next);
    }

    private void endStage() {
        verdicts.putAll(stage.verdicts());
        TuneCandidate former = winner;
        boolean isFormerOut = former == null
                || verdicts.get(former) == CandidateVerdict.INFEASIBLE
                || verdicts.get(former) == CandidateVerdict.WORSE;
        // too few rounds to prove that any other keeps to the constraints do not make today's default the winner
        Optional<TuneCandidate> found =
                stage.winner().filter(candidate -> isFormerOut || stage.isDecided() || !candidate.isDefault());
        if (found.isPresent()) {
            alike = stage.alike();
        }
        winner = found.orElse(former != null && verdicts.get(former) == CandidateVerdict.INFEASIBLE ? null : former);
    }

    private void beginConfirming() {
        TuneCandidate best = winner;
        if (best == null || best.isDefault()) {
            phase = Phase.OVER;
            return;
        }
        phase = Phase.CONFIRMING;
        confirmation = new Confirmation(best, rules.indifference());
    }

    private SearchStage stage(List<TuneCandidate> candidates) {
        stages++;
        return new SearchStage(
                Collections.unmodifiableList(candidates), judge, smallerFirst, LEVEL * Math.pow(0.5, stages));
    }
}
