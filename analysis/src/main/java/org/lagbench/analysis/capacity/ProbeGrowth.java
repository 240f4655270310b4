package org.lagbench.analysis.capacity;

import java.util.List;

/** The sizes of the TCP probes of a path, which grow until a probe fills the path. */
public final class ProbeGrowth {
    /** Size of the first probe in bytes. */
    public static final long FIRST_BYTES = 1 << 16;

    /** The size of each further probe divided by the size of the previous probe. */
    public static final int FACTOR = 4;

    private ProbeGrowth() {}

    /**
     * Returns whether a larger probe may give more information. It cannot if a probe has filled the path, or if the
     * window or the application limited both of the last two probes.
     *
     * @param verdicts the verdicts on the probes so far, in the order of the probes
     */
    public static boolean canGrow(List<Verdict> verdicts) {
        List<Verdict> lastTwo = verdicts.subList(Math.max(0, verdicts.size() - 2), verdicts.size());
        boolean isLimited = lastTwo.size() == 2
                && lastTwo.stream().allMatch(verdict -> verdict == Verdict.WINDOW || verdict == Verdict.APPLICATION);
        return !verdicts.contains(Verdict.NETWORK) && !isLimited;
    }
}
