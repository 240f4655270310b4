package org.lagbench.analysis.capacity;

import java.util.List;
import org.lagbench.core.text.Units;

/**
 * An answered transfer that measured a path.
 *
 * @param bytes its size
 * @param elapsedNs from just before the first piece was sent until the answer was received
 * @param verdict what limited it, and its rate
 */
public record Probe(long bytes, double elapsedNs, ProbeVerdict verdict) {
    /**
     * Returns the greatest rate of the larger probes over their whole time, in bits per second: a path carries at least
     * as much. A smaller probe may fit into a queue. NaN if there is no probe.
     */
    public static double carriedBitsPerS(List<Probe> probes) {
        long most = probes.stream().mapToLong(Probe::bytes).max().orElse(0);
        return probes.stream()
                .filter(probe -> probe.bytes >= most / ProbeGrowth.FACTOR)
                .mapToDouble(probe -> (double) probe.bytes * Units.BITS_PER_BYTE * Units.NS_PER_S / probe.elapsedNs)
                .max()
                .orElse(Double.NaN);
    }
}
