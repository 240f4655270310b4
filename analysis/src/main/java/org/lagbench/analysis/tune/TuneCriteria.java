package org.lagbench.analysis.tune;

import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.comparison.Judgment.Outcome;

/**
 * The constraints on candidates and the indifference between them.
 *
 * @param indifference by what share objectives may differ and still count as the same
 * @param smallerIsBetter whether a smaller objective is better
 */
public record TuneCriteria(List<Constraint> constraints, double indifference, boolean smallerIsBetter) {
    private static final int CLEAR_RUNS = 2;

    public TuneCriteria {
        constraints = List.copyOf(constraints);
    }

    /** Creates the criteria of an objective of which smaller values are better. */
    public TuneCriteria(List<Constraint> constraints, double indifference) {
        this(constraints, indifference, true);
    }

    /**
     * Returns whether the runs prove that a constraint is broken.
     *
     * @param tail the probability that a proof is wrong
     */
    boolean isBroken(List<Trial> trials, double tail) {
        return constraints.stream().anyMatch(constraint -> constraint.decide(trials, tail) == Outcome.MISSED);
    }

    /**
     * Returns whether each of two runs or more is so far beyond a constraint that further runs are not worth their
     * time: less than half of a lower limit, or ten times an upper one, or too few packets for the objective. This is
     * not a test. If something else disturbs one run in 50 so much, it disturbs both of two runs with a probability of
     * 1/2,500. Then one of twelve candidates is wrongly excluded with a probability of 0.5 %.
     */
    boolean isClearlyBroken(List<Trial> trials) {
        return trials.size() >= CLEAR_RUNS
                && (trials.stream().noneMatch(Trial::hasObjective)
                        || constraints.stream()
                                .anyMatch(constraint -> trials.stream().allMatch(constraint::isClearlyBroken)));
    }

    /**
     * Returns whether the runs prove that all constraints are satisfied.
     *
     * @param tail the probability that the proof of a constraint is wrong
     */
    boolean isKept(List<Trial> trials, double tail) {
        return trials.stream().anyMatch(Trial::hasObjective)
                && constraints.stream().allMatch(constraint -> constraint.decide(trials, tail) == Outcome.MET);
    }

    /** Returns by what factor the mean of the runs exceeds the most broken constraint; at most 1 if none is broken. */
    double excess(List<Trial> trials) {
        return constraints.stream()
                .mapToDouble(constraint -> constraint.excess(trials))
                .max()
                .orElse(0);
    }

    static double mean(List<Trial> trials, ToDoubleFunction<Trial> metric) {
        return trials.stream().mapToDouble(metric).average().orElse(Double.NaN);
    }
}
