package org.lagbench.core.timeseries;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;

/**
 * Describes a series.
 *
 * @param name its name, unique in the session, of letters, digits, dots and hyphens; its files begin with it
 * @param title its name as shown to users
 * @param unit unit of its values, such as {@code ns} or {@code Mbit/s}
 * @param everyNs the time between two records in ns
 * @param domain the values that it can have
 * @param target the host that was probed; null if it was not recorded
 */
public record SeriesInfo(String name, String title, String unit, long everyNs, Domain domain, @Nullable String target) {
    /** The values that a series can have. An interval of a forecast ends there. */
    @EnumNaming(EnumNamingStrategies.KebabCaseStrategy.class)
    public enum Domain implements TextEnum {
        /** Any number. */
        ANY(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY),
        /** A number of at least 0, such as a duration by one clock, or a rate. */
        NOT_NEGATIVE(0, Double.POSITIVE_INFINITY),
        /** A share in percent, from 0 to 100. */
        PERCENT(0, 100);

        private final double min;
        private final double max;

        Domain(double min, double max) {
            this.min = min;
            this.max = max;
        }

        /** Returns the smallest value, maybe −∞. */
        public double min() {
            return min;
        }

        /** Returns the largest value, maybe ∞. */
        public double max() {
            return max;
        }

        /** Returns the value of the domain that is nearest to a number; NaN for NaN. */
        public double nearest(double number) {
            return Math.max(min, Math.min(max, number));
        }
    }
}
