package org.lagbench.analysis.tune;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The constraints on candidates and the indifference between them.
 *
 * @param indifference by what share objectives may differ and still count as the same
 */
public record TuneCriteria(List<Constraint> constraints, double indifference) {
    private static final int CLEAR_RUNS = 2;

    public TuneCriteria {
        constraints = List.copyOf(constraints);
    }

    /** Returns whether the runs prove at a level that a constraint is broken. */
    boolean isBroken(List<Trial> trials, double level) {
        return constraints.stream().anyMatch(constraint -> constraint.isBroken(trials, level));
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
     * Returns whether the runs prove at a level that all constraints are satisfied.
     *
     * @param lossBurst of how many consecutive lost packets a lost packet is one
     */
    boolean isKept(List<Trial> trials, double level, double lossBurst) {
        return trials.stream().anyMatch(Trial::hasObjective)
                && constraints.stream().allMatch(constraint -> constraint.isKept(trials, level, lossBurst));
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
