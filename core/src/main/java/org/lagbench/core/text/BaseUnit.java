package org.lagbench.core.text;

/**
 * The unit in which OpenMetrics has values of another one.
 *
 * @param name the end of the names of families: "seconds"
 * @param divisor what a value in the other unit is divided by
 */
public record BaseUnit(String name, double divisor) {
    /** Returns the base unit of a unit of metrics: "seconds" for "µs", "packets_per_second" for "packets/s". */
    public static BaseUnit of(String unit) {
        return switch (unit) {
            case "ns" -> new BaseUnit("seconds", Units.NS_PER_S);
            case "µs" -> new BaseUnit("seconds", Units.NS_PER_S / Units.NS_PER_US);
            case "ms" -> new BaseUnit("seconds", Units.MS_PER_S);
            case "%" -> new BaseUnit("ratio", Units.PERCENT);
            case "Mbit/s" -> new BaseUnit("bytes_per_second", Units.BITS_PER_BYTE / Units.BITS_PER_MBIT);
            default -> new BaseUnit(unit.replaceFirst("/s$", "_per_second"), 1);
        };
    }
}
