package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.model.Tuning;

/**
 * What a tuning run makes as good as possible: a metric in its unit and direction, or a setting, whose smallest value
 * is the best.
 *
 * @param id the id of the metric, or the name of the setting
 * @param title the quantity in sentences: "Q99 transmit lag"
 * @param metric null for a setting
 * @param knob the setting; null for a metric
 */
public record Objective(String id, String title, @Nullable Metric<?> metric, Tuning.@Nullable Knob knob) {
    /**
     * Returns the objective of a tuning run.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such metric or it is not judged, or the
     *     values of the setting are not numbers
     */
    public static Objective of(Tuning tuning) throws LagbenchException {
        for (Tuning.Knob knob : tuning.knobs()) {
            if (knob.name().equals(tuning.objective())) {
                return ofSetting(knob);
            }
        }
        return of(MetricRegistry.judged(tuning.objective()));
    }

    /** Returns the objective of a metric. All comparisons are of its values in single runs. */
    public static Objective of(Metric<?> metric) {
        return new Objective(metric.id(), MetricNames.inSentence(metric), metric, null);
    }

    private static Objective ofSetting(Tuning.Knob knob) throws LagbenchException {
        if (!knob.isNumeric()) {
            throw ExitCode.USAGE.failure(knob.name() + " cannot be minimized, because its values are not numbers.");
        }
        return new Objective(knob.name(), SettingText.name(knob.name()), null, knob);
    }

    /** Returns whether smaller values are better. */
    public boolean smallerIsBetter() {
        return metric == null || metric.smallerIsBetter();
    }

    /** Returns whether a setting is minimized. */
    public boolean isSetting() {
        return metric == null;
    }
}
