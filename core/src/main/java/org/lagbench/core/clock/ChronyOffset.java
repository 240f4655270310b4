package org.lagbench.core.clock;

/**
 * The offset of two clocks as reported by their two chronyd: receiver's reading − sender's reading at the same moment.
 *
 * <p>On each host X, chronyd reports: true time = X's reading + correction<sub>X</sub> ± e<sub>X</sub>, with e = root
 * dispersion + root delay / 2. The offset θ = receiver − sender is therefore correction<sub>S</sub> −
 * correction<sub>R</sub> ± (e<sub>S</sub> + e<sub>R</sub>), and |θ| no more than the sum of both hosts'
 * {@link ChronyTracking#boundNs}.
 *
 * @param lowerNs the smallest possible offset in ns
 * @param upperNs the largest possible offset in ns
 */
public record ChronyOffset(long lowerNs, long upperNs) {
    /** Returns the offset of two hosts that follow the same time, both sampled at about the same moment. */
    public static ChronyOffset of(ChronyTracking sender, ChronyTracking receiver) {
        double offsetNs = sender.correctionNs() - receiver.correctionNs();
        long errorNs = sender.correctedBoundNs() + receiver.correctedBoundNs();
        return new ChronyOffset((long) Math.floor(offsetNs) - errorNs, (long) Math.ceil(offsetNs) + errorNs);
    }

    ChronyOffset widened(long byNs) {
        return new ChronyOffset(lowerNs - byNs, upperNs + byNs);
    }

    /** Returns whether some offset lies both in this range and in that of two-way exchanges. */
    public boolean overlaps(OffsetInterval proved) {
        return lowerNs <= proved.upperNs() && proved.lowerNs() <= upperNs;
    }
}
