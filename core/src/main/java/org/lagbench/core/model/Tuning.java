package org.lagbench.core.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The goal of a tuning run: the values of settings that minimize an objective under constraints. Immutable.
 *
 * @param maximumLossPpm the largest accepted share of lost packets, in millionths; null for any
 * @param goodput the smallest accepted goodput; null for any
 * @param indifferencePpm the share by which an objective may be greater and still count as equal, in millionths
 * @param budget the limit of an undecided tune
 * @param knobs the settings to vary; one or more
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
