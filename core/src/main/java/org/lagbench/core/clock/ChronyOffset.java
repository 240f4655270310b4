package org.lagbench.core.clock;

/**
 * Between what the offset of two clocks lies, as their two chronyd say: receiver's reading − sender's reading at the
 * same moment.
 *
 * <p>chronyd says of each host X: true time = X's reading + correction<sub>X</sub> ± e<sub>X</sub>, with e = root
 * dispersion + root delay / 2. The offset θ = receiver − sender is therefore correction<sub>S</sub> −
 * correction<sub>R</sub> ± (e<sub>S</sub> + e<sub>R</sub>), and |θ| no more than the sum of both hosts'
 * {@link ChronyTracking#boundNs}.
 *
 * @param lowerNs the offset is no less, in ns
 * @param upperNs the offset is no more, in ns
 */
public record ChronyOffset(long lowerNs, long upperNs) {
    /** Of two hosts that follow the same time, both asked at about the same moment. */
    public static ChronyOffset of(ChronyTracking sender, ChronyTracking receiver) {
        double offsetNs = sender.correctionNs() - receiver.correctionNs();
        long errorNs = sender.correctedBoundNs() + receiver.correctedBoundNs();
        return new ChronyOffset((long) Math.floor(offsetNs) - errorNs, (long) Math.ceil(offsetNs) + errorNs);
    }

    /** The same, less surely known. */
    ChronyOffset widened(long byNs) {
        return new ChronyOffset(lowerNs - byNs, upperNs + byNs);
    }

    /** Whether some offset fits both this and what two-way exchanges prove. */
    public boolean overlaps(OffsetInterval proved) {
        return lowerNs <= proved.upperNs() && proved.lowerNs() <= upperNs;
    }
}
