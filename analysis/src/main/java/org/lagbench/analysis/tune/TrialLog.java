package org.lagbench.analysis.tune;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** All trials of a tune, by candidate and round. */
final class TrialLog {
    private final Map<TuneCandidate, NavigableMap<Integer, Trial>> byRound = new LinkedHashMap<>();
    private int round;

    /** Begins a round, in which a candidate has at most one trial; returns its number, from 1. */
    int beginRound() {
        return ++round;
    }

    /** Returns the number of the current round. */
    int round() {
        return round;
    }

    void add(TuneCandidate candidate, Trial trial) {
        byRound.computeIfAbsent(candidate, one -> new TreeMap<>()).put(round, trial);
    }

    /** Returns the candidates that were run, in the order of their first runs. */
    Set<TuneCandidate> candidates() {
        return Collections.unmodifiableSet(byRound.keySet());
    }

    List<Trial> of(TuneCandidate candidate) {
        return since(0, candidate);
    }

    /** Returns the trials of a candidate after a round. */
    List<Trial> since(int round, TuneCandidate candidate) {
        NavigableMap<Integer, Trial> trials = byRound.get(candidate);
        return trials == null
                ? List.of()
                : List.copyOf(trials.tailMap(round, false).values());
    }

    /**
     * Returns the objectives of a candidate in the rounds in which another was run too, in ns. So a machine that
     * becomes slower does not decide.
     */
    double[] besideNs(TuneCandidate candidate, TuneCandidate other) {
        Map<Integer, Trial> ofOther = byRound.getOrDefault(other, Collections.emptyNavigableMap());
        return byRound.getOrDefault(candidate, Collections.emptyNavigableMap()).entrySet().stream()
                .filter(trial -> ofOther.containsKey(trial.getKey()))
                .mapToDouble(trial -> trial.getValue().objectiveNs())
                .toArray();
    }
}
