package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.model.Tuning;

/**
 * What a tuning run minimizes.
 *
 * @param id the id of the metric, or the name of the setting
 * @param title the quantity in sentences: "Q99 transmit lag"
 * @param metric a time; null for a setting
 * @param knob the setting; null for a metric
 */
public record Objective(String id, String title, @Nullable Metric<?> metric, Tuning.@Nullable Knob knob) {
    private static final String SHORT_PLAYOUT = "playout";
    private static final String PLAYOUT = "playout.delay";

    /**
     * Returns the objective of a tuning run.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it cannot be minimized
     */
    public static Objective of(Tuning tuning) throws LagbenchException {
        String name = tuning.objective();
        for (Tuning.Knob knob : tuning.knobs()) {
            if (knob.name().equals(name)) {
                return ofSetting(knob);
            }
        }
        return of(MetricRegistry.named(name.equals(SHORT_PLAYOUT) ? PLAYOUT : name));
    }

    /**
     * Returns the objective to minimize a metric, of which all comparisons take the median of the repeats.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it is no time, longer is better, or repeats combine
     *     otherwise
     */
    public static Objective of(Metric<?> metric) throws LagbenchException {
        if (metric.type() != Metric.Type.TIME || !metric.smallerIsBetter()) {
            throw ExitCode.USAGE.failure(
                    metric.id() + " cannot be minimized, only times and settings; to limit it, use" + " tune.require.");
        }
        if (metric.combination() != Combination.MEDIAN) {
            throw ExitCode.USAGE.failure(metric.id() + " cannot be minimized, because runs prove nothing about the "
                    + metric.combination().title()
                    + ". Minimize a median or a quantile, such as lag.q99; tune.require limits this one.");
        }
        return new Objective(metric.id(), metric.name(), metric, null);
    }

    private static Objective ofSetting(Tuning.Knob knob) throws LagbenchException {
        if (!knob.isNumeric()) {
            throw ExitCode.USAGE.failure(knob.name() + " cannot be minimized, because its values are not numbers.");
        }
        return new Objective(knob.name(), SettingText.name(knob.name()), null, knob);
    }

    /** Returns whether a setting is minimized. */
    public boolean isSetting() {
        return metric == null;
    }
}
