package org.lagbench.analysis.capacity;

import java.util.List;
import java.util.Optional;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.text.Units;

/**
 * The rate that TCP achieves over a path, estimated from the probes of that path. Forecasts the duration of a transfer
 * of any size.
 *
 * @param rate payload in bits per second
 * @param slowStart the initial window and its growth
 * @param segmentBytes payload of a segment
 * @param roundTripNs the minimum round trip
 * @param probes the probes of which bytes were acknowledged
 */
public record PathEstimate(
        Interval rate, SlowStart slowStart, int segmentBytes, double roundTripNs, List<Probe> probes) {
    /**
     * Returns the estimate from the last probe that filled the path.
     *
     * @param probes all probes
     * @return empty if no probe filled the path
     */
    public static Optional<PathEstimate> of(List<Probe> probes) {
        return probes.stream()
                .map(Probe::verdict)
                .filter(ProbeVerdict::fillsPath)
                .reduce((former, latter) -> latter)
                .map(filling -> of(filling, probes));
    }

    private static PathEstimate of(ProbeVerdict filling, List<Probe> probes) {
        double roundTripNs = probes.stream()
                .mapToDouble(probe -> probe.verdict().minRttNs())
                .filter(ns -> ns > 0)
                .min()
                .orElseThrow();
        return new PathEstimate(
                filling.rate(),
                new SlowStart(filling.initialWindow(), SlowStart.DOUBLING),
                filling.segmentBytes(),
                roundTripNs,
                probes.stream().filter(probe -> probe.verdict().bytes() > 0).toList());
    }

    /**
     * Returns the duration of a transfer in ns, from its first piece until its reply. The ends of the interval follow
     * from the ends of the rate's interval. Each end is then moved outward by the maximum forecast error of a probe in
     * that direction. The error of a smaller or equal probe counts in full, because a host delays a transfer only once.
     * The error of a larger probe counts in proportion to the duration. Transfers of equal size differ too, so both
     * ends also move by the largest difference between probes of the same size. The lower end is at least a round trip,
     * which a transfer with its reply needs, and the time of the bytes at the highest rate.
     */
    public Interval timeNs(long bytes) {
        double low = timeNs(bytes, rate.high());
        double high = timeNs(bytes, rate.low());
        double before = 0;
        double after = 0;
        for (Probe probe : probes) {
            double exactNs = timeNs(probe.verdict().bytes(), rate.value());
            double errorNs = probe.elapsedNs() - exactNs;
            boolean isSmaller = probe.verdict().bytes() <= bytes;
            before = Math.max(before, isSmaller ? -errorNs : -errorNs / exactNs * low);
            after = Math.max(after, isSmaller ? errorNs : errorNs / exactNs * high);
        }
        double differenceNs = maxDifferenceNs();
        return new Interval(
                timeNs(bytes, rate.value()),
                Math.max(minNs(bytes), low - before - differenceNs),
                high + after + differenceNs);
    }

    /**
     * Returns the time that a transfer needs at least: that of a probe of as many bytes or more, if that is shorter.
     */
    private double minNs(long bytes) {
        double bytesNs = (double) bytes * Units.BITS_PER_BYTE * Units.NS_PER_S / rate.high();
        return probes.stream()
                .filter(probe -> probe.bytes() >= bytes)
                .mapToDouble(Probe::elapsedNs)
                .reduce(Math.max(roundTripNs, bytesNs), Math::min);
    }

    private double maxDifferenceNs() {
        double maxNs = 0;
        for (Probe probe : probes) {
            for (Probe other : probes) {
                if (probe.verdict().bytes() == other.verdict().bytes()) {
                    maxNs = Math.max(maxNs, probe.elapsedNs() - other.elapsedNs());
                }
            }
        }
        return maxNs;
    }

    private double timeNs(long bytes, double bitsPerS) {
        return slowStart.transferNs(bytes, segmentBytes, roundTripNs, bitsPerS / Units.BITS_PER_BYTE);
    }
}
