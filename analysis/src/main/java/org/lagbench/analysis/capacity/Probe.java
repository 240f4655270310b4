package org.lagbench.analysis.capacity;

import java.util.List;
import org.lagbench.core.text.Units;

/**
 * An answered transfer that measured a path.
 *
 * @param bytes its size
 * @param elapsedNs from just before the first piece was sent until the reply was received
 * @param verdict what limited it, and its rate
 */
public record Probe(long bytes, double elapsedNs, ProbeVerdict verdict) {
    /** The size of each further probe of a path divided by the size of the previous one. */
    public static final int GROWTH = 4;

    /** A shorter probe may appear limited by the window or the application because of a pause of the host. */
    private static final double LIMITED_MIN_S = 1;

    /**
     * Returns the largest rate of the larger probes over their whole time, in bits per second: a path carries at least
     * as much. A smaller probe may fit into a queue. NaN if there is no probe.
     */
    public static double carriedBitsPerS(List<Probe> probes) {
        long max = probes.stream().mapToLong(Probe::bytes).max().orElse(0);
        return probes.stream()
                .filter(probe -> probe.bytes >= max / GROWTH)
                .mapToDouble(probe -> (double) probe.bytes * Units.BITS_PER_BYTE * Units.NS_PER_S / probe.elapsedNs)
                .max()
                .orElse(Double.NaN);
    }

    /** Returns whether the probe filled the path, so that its rate is the path's. */
    public boolean fillsPath() {
        return verdict.fillsPath();
    }

    /**
     * Returns whether a larger probe may give more information. It cannot if a probe has filled the path, or if the
     * window or the application limited both of the last two probes of at least {@link #LIMITED_MIN_S} seconds.
     *
     * @param probes the probes so far, in chronological order
     */
    public static boolean canGrow(List<ProbeVerdict> probes) {
        List<TransferLimit> large = probes.stream()
                .filter(probe -> (double) probe.bytes() * Units.BITS_PER_BYTE >= LIMITED_MIN_S * probe.bitsPerS())
                .map(ProbeVerdict::verdict)
                .toList();
        List<TransferLimit> lastTwo = large.subList(Math.max(0, large.size() - 2), large.size());
        boolean isLimited = lastTwo.size() == 2
                && lastTwo.stream()
                        .allMatch(verdict -> verdict == TransferLimit.WINDOW || verdict == TransferLimit.APPLICATION);
        return !isLimited && probes.stream().noneMatch(ProbeVerdict::fillsPath);
    }
}
