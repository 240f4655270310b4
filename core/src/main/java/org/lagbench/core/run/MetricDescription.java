package org.lagbench.core.run;

import java.util.EnumSet;
import java.util.Set;

/**
 * What a metric is, apart from its id and from where its value comes from.
 *
 * @param factor what a number that its getter reads is multiplied by
 * @param divisor what it is then divided by, in the unit
 */
record MetricDescription(
        String title,
        String statistic,
        Metric.Type type,
        String unit,
        double factor,
        double divisor,
        boolean smallerIsBetter,
        Combination combination,
        Set<Mark> marks) {
    /** What is true of some metrics. */
    enum Mark {
        /** It stands for its quantity where one statistic is shown. */
        MAIN,
        /** Points are compared by it. */
        COMPARED,
        /** It depends on the difference of two clocks. */
        CLOCK,
        /** It cannot be negative, except by the difference of two clocks. */
        NOT_NEGATIVE,
        /** A run without it has 0. */
        ZERO
    }

    MetricDescription with(Mark mark) {
        EnumSet<Mark> all = EnumSet.of(mark);
        all.addAll(marks);
        return new MetricDescription(
                title, statistic, type, unit, factor, divisor, smallerIsBetter, combination, Set.copyOf(all));
    }

    MetricDescription withHigherBetter() {
        return new MetricDescription(title, statistic, type, unit, factor, divisor, false, combination, marks);
    }
}
