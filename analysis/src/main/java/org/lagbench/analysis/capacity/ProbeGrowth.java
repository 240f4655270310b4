package org.lagbench.analysis.capacity;

import java.util.List;

/** How the TCP probes of a path grow until one fills it. */
public final class ProbeGrowth {
    /** How many times as large as the one before it each further probe is. */
    public static final int FACTOR = 4;

    /** The limit of smaller probes may be a pause of the host. */
    private static final long LIMITED_BYTES_MIN = 1 << 20;

    private ProbeGrowth() {}

    /**
     * Returns whether a larger probe may give more information. It does not if a probe filled the path, or if window or
     * application limited both of the last two.
     *
     * @param probes so far, in their order
     */
    public static boolean canGrow(List<ProbeVerdict> probes) {
        List<Verdict> large = probes.stream()
                .filter(probe -> probe.bytes() >= LIMITED_BYTES_MIN)
                .map(ProbeVerdict::verdict)
                .toList();
        List<Verdict> lastTwo = large.subList(Math.max(0, large.size() - 2), large.size());
        boolean isLimited = lastTwo.size() == 2
                && lastTwo.stream().allMatch(verdict -> verdict == Verdict.WINDOW || verdict == Verdict.APPLICATION);
        return !isLimited && probes.stream().noneMatch(probe -> probe.verdict() == Verdict.NETWORK);
    }
}
