package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Some candidates, run round after round until it is decided which wins. Those that are proven to break a constraint or
 * to be worse are run no more, so that the runs go to the contenders; today's default goes on.
 *
 * <p>Looking again and again makes errors likelier: each look gets half of what the looks before have left of the
 * level. The first is as soon as it can tell anything, and the rounds between two grow by a third.
 */
final class SearchStage {
    /** Most rounds. */
    static final int MOST_ROUNDS = 24;

    private static final double CONSTRAINTS = 0.2;
    private static final int FIRST_CONSTRAINT_LOOK = 2;
    private static final double GROWTH = 4.0 / 3;

    private final Judge judge;
    private final Comparator<TuneCandidate> smallerFirst;
    private final double level;
    private final Map<TuneCandidate, List<Trial>> trials = new LinkedHashMap<>();
    private final Map<TuneCandidate, CandidateVerdict> verdicts = new LinkedHashMap<>();
    private final Set<TuneCandidate> contenders = new LinkedHashSet<>();
    private int rounds;
    private int nextLook;
    private int looks;
    private @Nullable TuneCandidate winner;
    private boolean over;

    /**
     * A stage.
     *
     * @param level the probability that the best of the candidates is thrown out, or one tied that is not
     */
    SearchStage(List<TuneCandidate> candidates, Judge judge, Comparator<TuneCandidate> smallerFirst, double level) {
        this.judge = judge;
        this.smallerFirst = smallerFirst;
        this.level = level;
        for (TuneCandidate candidate : candidates) {
            trials.put(candidate, new ArrayList<>());
            verdicts.put(candidate, CandidateVerdict.UNCLEAR);
            contenders.add(candidate);
        }
        plan();
    }

    /** Who is to be run in the next round. */
    List<TuneCandidate> round() {
        List<TuneCandidate> round = new ArrayList<>(contenders);
        if (!contenders.contains(TuneCandidate.DEFAULT)) {
            round.add(TuneCandidate.DEFAULT);
        }
        return round;
    }

    void add(TuneCandidate candidate, Trial trial) {
        trials.computeIfAbsent(candidate, one -> new ArrayList<>()).add(trial);
    }

    /** A round has ended. */
    void endRound() {
        rounds++;
        if (rounds >= FIRST_CONSTRAINT_LOOK) {
            double share = Math.pow(0.5, Math.max(1, rounds - FIRST_CONSTRAINT_LOOK));
            for (TuneCandidate candidate : judge.infeasible(contending(), CONSTRAINTS * level * share)) {
                verdicts.put(candidate, CandidateVerdict.INFEASIBLE);
                contenders.remove(candidate);
            }
            if (looks == 0) {
                nextLook = fewestRounds(); // fewer contenders, fewer comparisons to correct for
            }
        }
        if (rounds >= nextLook || contenders.isEmpty()) {
            look();
            plan();
        }
        if (rounds >= MOST_ROUNDS || contenders.isEmpty()) {
            end();
        }
    }

    /** Nothing more will come: what has won so far, if anything, has won. */
    void end() {
        if (!over) {
            look();
            over = true;
        }
    }

    /** Whether it is decided, or there will be no more rounds. */
    boolean isOver() {
        return over;
    }

    /** Whether a smallest of the best was proven. */
    boolean isDecided() {
        return winner != null;
    }

    /**
     * The winner: the smallest that is proven to be tied; before that, the smallest of {@link #alike}; nothing if there
     * is none.
     */
    Optional<TuneCandidate> winner() {
        if (winner != null) {
            return Optional.of(winner);
        }
        return alike().stream().min(smallerFirst);
    }

    /**
     * Those that keep to the constraints and are not told apart from the one with the least median, as far as is known.
     * Today's default is among them only if there is no other, for to be compared with it there must be another.
     */
    List<TuneCandidate> alike() {
        Map<TuneCandidate, List<Trial>> kept = new LinkedHashMap<>();
        contending().forEach((candidate, runs) -> {
            if (!runs.isEmpty() && judge.isKept(runs, level)) {
                kept.put(candidate, runs);
            }
        });
        if (kept.size() > 1) {
            kept.remove(TuneCandidate.DEFAULT);
        }
        return judge.alike(kept);
    }

    Map<TuneCandidate, CandidateVerdict> verdicts() {
        return verdicts;
    }

    Map<TuneCandidate, List<Trial>> trials() {
        return trials;
    }

    /** The contenders that may yet turn out to be as good as the winner, and smaller. */
    List<TuneCandidate> smallerUnclear(TuneCandidate than) {
        return contenders.stream()
                .filter(candidate -> verdicts.get(candidate) == CandidateVerdict.UNCLEAR
                        && smallerFirst.compare(candidate, than) < 0)
                .toList();
    }

    private void look() {
        if (contenders.isEmpty()) {
            return;
        }
        Map<TuneCandidate, CandidateVerdict> now =
                judge.judge(contending(), (1 - CONSTRAINTS) * level * Math.pow(0.5, looks + 1.0));
        looks++;
        verdicts.putAll(now);
        now.forEach((candidate, verdict) -> {
            if (verdict == CandidateVerdict.WORSE) {
                contenders.remove(candidate);
            }
        });
        Optional<TuneCandidate> smallest = smallest(CandidateVerdict.TIED);
        if (smallest.isPresent() && smallerUnclear(smallest.get()).isEmpty()) {
            winner = smallest.get();
            over = true;
        }
    }

    private Optional<TuneCandidate> smallest(CandidateVerdict verdict) {
        return contenders.stream()
                .filter(candidate -> verdicts.get(candidate) == verdict)
                .min(smallerFirst);
    }

    private void plan() {
        nextLook = Math.max((int) Math.ceil(rounds * GROWTH), fewestRounds());
    }

    private int fewestRounds() {
        return Judge.fewestRounds(contenders.size(), (1 - CONSTRAINTS) * level * Math.pow(0.5, looks + 1.0));
    }

    private Map<TuneCandidate, List<Trial>> contending() {
        Map<TuneCandidate, List<Trial>> contending = new LinkedHashMap<>();
        contenders.forEach(candidate -> contending.put(candidate, of(candidate)));
        return contending;
    }

    private List<Trial> of(TuneCandidate candidate) {
        return trials.getOrDefault(candidate, List.of());
    }
}
