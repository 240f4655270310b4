package org.lagbench.analysis.capacity;

import java.util.List;
import org.lagbench.core.text.Units;

/** The sizes of the TCP probes of a path, which grow until a probe fills the path. */
public final class ProbeGrowth {
    /** The size of each further probe divided by the size of the previous probe. */
    public static final int FACTOR = 4;

    /** A shorter probe may appear limited by the window or the application because of a pause of the host. */
    private static final double LIMITED_MIN_S = 1;

    private ProbeGrowth() {}

    /**
     * Returns whether a larger probe may give more information. It cannot if a probe has filled the path, or if the
     * window or the application limited both of the last two probes of at least {@link #LIMITED_MIN_S} seconds.
     *
     * @param probes the probes so far, in chronological order
     */
    public static boolean canGrow(List<ProbeVerdict> probes) {
        List<Verdict> large = probes.stream()
                .filter(probe -> (double) probe.bytes() * Units.BITS_PER_BYTE >= LIMITED_MIN_S * probe.bitsPerS())
                .map(ProbeVerdict::verdict)
                .toList();
        List<Verdict> lastTwo = large.subList(Math.max(0, large.size() - 2), large.size());
        boolean isLimited = lastTwo.size() == 2
                && lastTwo.stream().allMatch(verdict -> verdict == Verdict.WINDOW || verdict == Verdict.APPLICATION);
        return !isLimited && probes.stream().noneMatch(probe -> probe.verdict() == Verdict.NETWORK);
    }
}
