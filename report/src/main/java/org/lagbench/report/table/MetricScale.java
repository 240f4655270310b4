package org.lagbench.report.table;

import java.util.Locale;
import java.util.stream.DoubleStream;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.text.Units;

/**
 * How values of a metric are shown together: times in the unit of their magnitude, others in the unit of the metric.
 *
 * @param name what the values are: "median transmit lag"
 * @param unit the unit in which they are shown; "" for none
 * @param factor what a value is multiplied by
 * @param type what kind of quantity they are
 */
public record MetricScale(String name, String unit, double factor, Metric.Type type) {
    /** Returns the scale of values in the unit of their metric. */
    public static MetricScale of(Metric<?> metric, DoubleStream values) {
        if (metric.type() != Metric.Type.TIME) {
            return new MetricScale(MetricNames.inSentence(metric), metric.unit(), 1, metric.type());
        }
        TimeScale scale = TimeScale.of(values.map(us -> us * Units.NS_PER_US));
        return new MetricScale(
                MetricNames.inSentence(metric), scale.symbol(), Units.NS_PER_US / scale.ns(), metric.type());
    }

    /** Returns a value in the unit of the scale. */
    public double of(double value) {
        return value * factor;
    }

    /** Returns a value without its unit. */
    public String text(double value) {
        return switch (type) {
            case COUNT, SIZE -> Numbers.countText(value);
            case SHARE -> Numbers.percent(value / Units.PERCENT);
            case TIME, RATE, NUMBER -> Numbers.significant(3, of(value));
        };
    }

    /** Returns a title: "Median transmit lag in ms". */
    public String title() {
        return capitalized(name) + (unit.isEmpty() ? "" : " in " + unit);
    }

    /** Returns the label of an axis: "median transmit lag (ms)". */
    public String axis() {
        return name + (unit.isEmpty() ? "" : " (" + unit + ")");
    }

    /** Returns a text with an upper-case letter first. */
    public static String capitalized(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
