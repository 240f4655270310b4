package org.lagbench.analysis.capacity;

import java.util.List;

/**
 * Forecasts how long a transfer of any size takes over a path, from the probes that measured the path.
 *
 * @param slowStart the initial window and its growth
 * @param segmentBytes payload of a segment
 * @param roundTripNs the least round trip
 * @param rate the path's, in payload bits per second
 * @param errors the measured time of each probe, divided by the computed one
 */
public record TransferForecast(
        SlowStart slowStart, int segmentBytes, double roundTripNs, Interval rate, List<Double> errors) {
    private static final double BITS_PER_BYTE = 8;

    public TransferForecast {
        errors = List.copyOf(errors);
    }

    /** A value with the ends of its interval. */
    public record Interval(double value, double low, double high) {}

    /**
     * Returns the time of a transfer in ns, from its first piece until its answer. The interval combines that of the
     * rate with the least and the greatest error of a probe.
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
