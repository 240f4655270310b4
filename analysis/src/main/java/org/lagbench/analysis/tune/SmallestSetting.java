package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.core.model.Tuning.Knob;

/**
 * Finds the smallest value of one setting that keeps the constraints, if every higher one also keeps them: a latency
 * that repairs losses, a buffer. Bisects a geometric grid, after it has tested the highest value. Runs each value until
 * it is proven that the value keeps the constraints or breaks one.
 *
 * <p>A value that is undecided after a few runs is near the limit, and many runs may not decide it. It counts as one
 * that breaks a constraint, so that the bisection first finds one that is proven to keep them. Only then the value is
 * run more, if the budget allows.
 *
 * <p>A value is tested after fixed numbers of runs. The n-th test may use 1 / (n·(n + 1)) of the error probability of
 * the value, which is an equal part of the whole for each value that two bisections run at most.
 */
public final class SmallestSetting implements TuneSearch {
    /** The ratio of two neighboring values of the grid. */
    private static final double STEP = 1.15;

    /** After how many runs a value is tested. */
    private static final List<Integer> TESTS = List.of(RepeatEstimate.MIN, 8, 12, 18);

    /** The number of runs after which an undecided value is left until a value is known that keeps the constraints. */
    private static final int FIRST_RUNS = TESTS.get(1);

    private static final int MAX_RUNS = TESTS.get(TESTS.size() - 1);

    private final Knob knob;
    private final TuneCriteria criteria;
    private final TrialLog log;
    private final List<TuneCandidate> grid;
    private final Map<Integer, CandidateVerdict> verdicts = new TreeMap<>();
    private final double levelOfValue;

    private int current;
    private boolean isOver;

    /** Creates the search; the knob is numeric. */
    public SmallestSetting(Knob knob, TuneCriteria criteria) {
        this.knob = knob;
        this.criteria = criteria;
        this.log = new TrialLog(criteria);
        this.grid = CandidateGrid.values(knob, STEP).stream()
                .map(value -> TuneCandidate.DEFAULT.with(knob.name(), value))
                .toList();
        this.current = grid.size() - 1;
        this.levelOfValue = LEVEL / (2 + 2 * Math.ceil(Math.log(grid.size()) / Math.log(2)));
    }

    @Override
    public Optional<TuneCandidate> next() {
        return isOver ? Optional.empty() : Optional.of(grid.get(current));
    }

    @Override
    public void accept(Trial trial) {
        if (trial.isSpoiled()) {
            log.addSpoiled(grid.get(current), trial);
            return;
        }
        log.beginRound();
        log.add(grid.get(current), trial);
        List<Trial> trials = log.of(grid.get(current));
        int test = TESTS.indexOf(trials.size());
        boolean isCertain = trials.size() < RepeatEstimate.MIN && criteria.isBroken(trials, tail(0));
        if (isCertain || criteria.isClearlyBroken(trials) || (test >= 0 && criteria.isBroken(trials, tail(test)))) {
            decide(CandidateVerdict.INFEASIBLE);
        } else if (test >= 0 && criteria.isKept(trials, tail(test))) {
            decide(CandidateVerdict.TIED);
        } else if (trials.size() >= (verdicts.containsKey(current) ? MAX_RUNS : FIRST_RUNS)) {
            decide(CandidateVerdict.UNDECIDED);
        }
    }

    /** Returns the error probability of a test of a value, from 0. */
    private double tail(int test) {
        return levelOfValue / ((test + 1) * (test + 2.0));
    }

    /** Sets the verdict of the current value and goes on to the next, which may be one that was left undecided. */
    private void decide(CandidateVerdict verdict) {
        verdicts.put(current, verdict);
        int kept = smallestKept();
        int below = highestOther();
        boolean isUnclear = verdicts.get(below) == CandidateVerdict.UNDECIDED;
        if (kept < grid.size() && kept - below > 1) {
            current = (below + kept) / 2;
        } else if (isUnclear && log.of(grid.get(below)).size() < MAX_RUNS) {
            current = below;
        } else {
            isOver = true;
        }
    }

    /** Returns the place of the highest value that is not proven to meet the constraints; -1 if there is none. */
    private int highestOther() {
        return verdicts.entrySet().stream()
                .filter(one -> one.getValue() != CandidateVerdict.TIED)
                .mapToInt(Map.Entry::getKey)
                .max()
                .orElse(-1);
    }

    /**
     * Returns the place of the smallest value above {@link #highestOther} that meets the constraints; the size of the
     * grid if there is none.
     */
    private int smallestKept() {
        int below = highestOther();
        return verdicts.entrySet().stream()
                .filter(one -> one.getValue() == CandidateVerdict.TIED && one.getKey() > below)
                .mapToInt(Map.Entry::getKey)
                .min()
                .orElse(grid.size());
    }

    @Override
    public void budget(long runs, long runsLeft) {
        isOver |= runsLeft <= 0;
    }

    @Override
    public String phaseText() {
        return "bisection";
    }

    @Override
    public int contenders() {
        return Math.max(1, smallestKept() - highestOther() - 1);
    }

    @Override
    public TuneResult result() {
        int kept = smallestKept();
        @Nullable TuneCandidate best = kept < grid.size() ? grid.get(kept) : null;
        boolean isDecided =
                kept < grid.size() && kept - highestOther() <= 1 && !verdicts.containsValue(CandidateVerdict.UNDECIDED);
        List<CandidateResult> rows = new ArrayList<>();
        for (int place = 0; place < grid.size(); place++) {
            TuneCandidate candidate = grid.get(place);
            if (log.candidates().contains(candidate)) {
                CandidateVerdict verdict = verdicts.getOrDefault(place, CandidateVerdict.UNDECIDED);
                if (verdict == CandidateVerdict.TIED && place != kept) {
                    verdict = place > kept ? CandidateVerdict.LARGER : CandidateVerdict.UNDECIDED;
                }
                rows.add(log.result(candidate, verdict, criteria.constraints()));
            }
        }
        return new TuneResult(
                List.of(knob),
                criteria,
                isDecided,
                best,
                best == null ? List.of() : List.of(best),
                best != null
                        ? null
                        : log.candidates().stream()
                                .filter(candidate -> !log.of(candidate).isEmpty())
                                .min(Comparator.comparingDouble(candidate -> criteria.excess(log.of(candidate))))
                                .orElse(null),
                TuneResult.DefaultComparison.NONE,
                rows,
                log.spoiledBy(),
                tail(0));
    }
}
