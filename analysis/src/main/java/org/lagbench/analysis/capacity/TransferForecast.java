package org.lagbench.analysis.capacity;

import java.util.List;

/**
 * Forecasts the duration of a transfer of any size over a path, from the probes of that path.
 *
 * @param slowStart the initial window and its growth
 * @param segmentBytes payload of a segment
 * @param roundTripNs the least round trip
 * @param rate the path's, in payload bits per second
 * @param errors for each probe, its measured duration divided by the computed one
 */
public record TransferForecast(
        SlowStart slowStart, int segmentBytes, double roundTripNs, Interval rate, List<Double> errors) {
    private static final double BITS_PER_BYTE = 8;

    public TransferForecast {
        errors = List.copyOf(errors);
    }

    /** A value with the ends of its confidence interval. */
    public record Interval(double value, double low, double high) {}

    /**
     * Returns the duration of a transfer in ns, from its first piece until its answer. The low end is computed from the
     * high end of the rate, and multiplied by the least error of the probes if that is below 1. The high end is
     * computed from the low end of the rate, and multiplied by the greatest error if that is above 1.
     */
    public Interval timeNs(long bytes) {
        double least = errors.stream().mapToDouble(Double::doubleValue).reduce(1, Math::min);
        double most = errors.stream().mapToDouble(Double::doubleValue).reduce(1, Math::max);
        return new Interval(
                timeNs(bytes, rate.value()), least * timeNs(bytes, rate.high()), most * timeNs(bytes, rate.low()));
    }

    private double timeNs(long bytes, double bitsPerS) {
        return slowStart.transferNs(bytes, segmentBytes, roundTripNs, bitsPerS / BITS_PER_BYTE);
    }
}
