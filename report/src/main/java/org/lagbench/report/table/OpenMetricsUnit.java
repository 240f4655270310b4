package org.lagbench.report.table;

import org.lagbench.core.text.Units;

/**
 * The unit in which OpenMetrics has values of another one.
 *
 * @param name the end of the names of families: "seconds"
 * @param divisor what a value in the other unit is divided by
 */
public record OpenMetricsUnit(String name, double divisor) {
    /** Returns the base unit of a unit of metrics: "seconds" for "µs", "packets_per_second" for "packets/s". */
    public static OpenMetricsUnit of(String unit) {
        return switch (unit) {
            case "ns" -> new OpenMetricsUnit("seconds", Units.NS_PER_S);
            case "µs" -> new OpenMetricsUnit("seconds", Units.NS_PER_S / Units.NS_PER_US);
            case "ms" -> new OpenMetricsUnit("seconds", Units.MS_PER_S);
            case "%" -> new OpenMetricsUnit("ratio", Units.PERCENT);
            case "Mbit/s" -> new OpenMetricsUnit("bytes_per_second", Units.BITS_PER_BYTE / Units.BITS_PER_MBIT);
            default -> new OpenMetricsUnit(unit.replaceFirst("/s$", "_per_second"), 1);
        };
    }
}
