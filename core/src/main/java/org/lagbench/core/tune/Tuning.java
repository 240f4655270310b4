package org.lagbench.core.tune;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tune is to find: the values of some settings that minimise an objective under constraints. Immutable.
 *
 * @param objective what is minimised
 * @param maximumLossPpm the greatest share of packets that may be lost, in millionths; null for any
 * @param goodput the least goodput; null for any
 * @param indifferencePpm by what share an objective may be greater and still count as the same, in millionths
 * @param budget after what it ends undecided
 * @param knobs what is varied; one or more
 */
public record Tuning(
        Objective objective,
        @Nullable Integer maximumLossPpm,
        @Nullable GoodputFloor goodput,
        int indifferencePpm,
        TuneBudget budget,
        List<Knob> knobs) {
    public Tuning {
        knobs = List.copyOf(knobs);
    }
}
