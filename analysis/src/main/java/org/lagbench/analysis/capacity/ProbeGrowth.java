package org.lagbench.analysis.capacity;

import java.util.List;

/** How the TCP probes of a path grow until one fills it. */
public final class ProbeGrowth {
    /** Size of the first probe in bytes. */
    public static final long FIRST_BYTES = 1 << 16;

    /** How many times as large as the one before it each further probe is. */
    public static final int FACTOR = 4;

    private ProbeGrowth() {}

    /**
     * Returns whether a larger probe may give more information. It does not if a probe filled the path, or if window or
     * application limited both of the last two.
     *
     * @param verdicts of the probes so far, in their order
     */
    public static boolean canGrow(List<Verdict> verdicts) {
        List<Verdict> lastTwo = verdicts.subList(Math.max(0, verdicts.size() - 2), verdicts.size());
        boolean isLimited = lastTwo.size() == 2
                && lastTwo.stream().allMatch(verdict -> verdict == Verdict.WINDOW || verdict == Verdict.APPLICATION);
        return !verdicts.contains(Verdict.NETWORK) && !isLimited;
    }
}
