package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.core.model.Tuning.Knob;

/**
 * Finds the smallest value of one setting that keeps the constraints, if every higher one also keeps them: a latency
 * that repairs losses, a buffer. Bisects a geometric grid, after it has tested the highest value. Runs each value until
 * it is proven that the value keeps the constraints or breaks one.
 *
 * <p>The n-th evaluation of a value may use 1 / (n·(n + 1)) of the error probability, each value an equal part of it
 * for the values that a bisection runs at most. A value that is undecided after {@value #MAX_RUNS} runs counts as one
 * that breaks a constraint, and the result is not decided.
 */
public final class SmallestSetting implements TuneSearch {
    /** The ratio of two neighboring values of the grid. */
    private static final double STEP = 1.15;

    private static final int MAX_RUNS = 16;

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
        this.log = new TrialLog(criteria.indifference());
        this.grid = CandidateGrid.values(knob, STEP).stream()
                .map(value -> TuneCandidate.DEFAULT.with(knob.name(), value))
                .toList();
        this.current = grid.size() - 1;
        this.levelOfValue = LEVEL / (2 + Math.ceil(Math.log(grid.size()) / Math.log(2)));
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
        if (isKept(current)) {
            decide(CandidateVerdict.TIED);
        } else if (criteria.isClearlyBroken(trials) || criteria.isBroken(trials, level(trials))) {
            decide(CandidateVerdict.INFEASIBLE);
        } else if (trials.size() >= MAX_RUNS && verdicts.get(current) == CandidateVerdict.TIED) {
            isOver = true; // the value met the constraints before longer bursts were known
        } else if (trials.size() >= MAX_RUNS) {
            decide(CandidateVerdict.UNCLEAR);
        }
    }

    /**
     * Returns whether the runs of a value prove that it keeps the constraints, by what is known of bursts of losses.
     */
    private boolean isKept(int place) {
        List<Trial> trials = log.of(grid.get(place));
        return criteria.isKept(trials, level(trials), log.lossBurst());
    }

    /** Returns the error probability of the test after these runs. There is one test after each run. */
    private double level(List<Trial> trials) {
        return levelOfValue / (trials.size() * (trials.size() + 1.0));
    }

    /**
     * Sets the verdict of the current value and goes on to the next, which may be the best value if that needs more
     * runs.
     */
    private void decide(CandidateVerdict verdict) {
        verdicts.put(current, verdict);
        int kept = smallestKept();
        int below = highestOther();
        if (kept == grid.size()) {
            isOver = true;
        } else if (kept - below > 1) {
            current = (below + kept) / 2;
        } else if (isKept(kept) || log.of(grid.get(kept)).size() >= MAX_RUNS) {
            isOver = true;
        } else {
            current = kept; // losses of smaller values came in longer bursts than was known
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
     * Returns the place of the smallest value above {@link #highestOther} that met the constraints when it was judged;
     * the size of the grid if there is none.
     */
    private int smallestKept() {
        return keptAboveOthers().min().orElse(grid.size());
    }

    private IntStream keptAboveOthers() {
        int below = highestOther();
        return verdicts.entrySet().stream()
                .filter(one -> one.getValue() == CandidateVerdict.TIED && one.getKey() > below)
                .mapToInt(Map.Entry::getKey);
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

    /** {@inheritDoc} A value that met the constraints must also meet them by the runs and bursts that came later. */
    @Override
    public TuneResult result() {
        int kept = keptAboveOthers().filter(this::isKept).min().orElse(grid.size());
        @Nullable TuneCandidate best = kept < grid.size() ? grid.get(kept) : null;
        boolean isDecided =
                kept < grid.size() && kept - highestOther() <= 1 && !verdicts.containsValue(CandidateVerdict.UNCLEAR);
        List<CandidateResult> rows = new ArrayList<>();
        for (int place = 0; place < grid.size(); place++) {
            TuneCandidate candidate = grid.get(place);
            if (log.candidates().contains(candidate)) {
                CandidateVerdict verdict = verdicts.getOrDefault(place, CandidateVerdict.UNCLEAR);
                if (verdict == CandidateVerdict.TIED && place != kept) {
                    verdict = place > kept ? CandidateVerdict.WORSE : CandidateVerdict.UNCLEAR;
                }
                rows.add(log.result(candidate, verdict));
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
                log.lossBurst());
    }
}
