package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All trials of a tune, by candidate and stage. The n-th trials of all candidates in a stage belong to one round,
 * because a candidate that leaves a stage does not return to it.
 */
final class TrialLog {
    private final Map<TuneCandidate, Map<Integer, List<Trial>>> byStage = new LinkedHashMap<>();

    /** @param stage the number of a stage, unique in the tune */
    void add(int stage, TuneCandidate candidate, Trial trial) {
        byStage.computeIfAbsent(candidate, one -> new LinkedHashMap<>())
                .computeIfAbsent(stage, one -> new ArrayList<>())
                .add(trial);
    }

    /** Returns the candidates that were run, in the order of their first runs. */
    Set<TuneCandidate> candidates() {
        return Collections.unmodifiableSet(byStage.keySet());
    }

    List<Trial> of(TuneCandidate candidate) {
        return byStage.getOrDefault(candidate, Map.of()).values().stream()
                .flatMap(Collection::stream)
                .toList();
    }

    /** Returns the objectives of a candidate in the rounds in which another was run too, in ns. */
    double[] besideNs(TuneCandidate candidate, TuneCandidate other) {
        Map<Integer, List<Trial>> ofOther = byStage.getOrDefault(other, Map.of());
        List<Trial> beside = new ArrayList<>();
        byStage.getOrDefault(candidate, Map.of()).forEach((stage, trials) -> {
            int rounds = ofOther.getOrDefault(stage, List.of()).size();
            beside.addAll(trials.subList(0, Math.min(trials.size(), rounds)));
        });
        return Trial.objectivesNs(beside);
    }
}
