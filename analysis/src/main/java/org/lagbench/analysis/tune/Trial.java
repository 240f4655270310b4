package org.lagbench.analysis.tune;

/**
 * What one run of a candidate showed.
 *
 * @param objectiveNs the figure that is minimised, in ns; infinite if nothing came
 * @param sent packets sent
 * @param lost those of which no copy came
 * @param goodputBitsPerS bytes of packets that came, in bit/s; 0 if fewer than two came
 */
public record Trial(double objectiveNs, long sent, long lost, double goodputBitsPerS) {
    /** The share of packets lost, from 0 to 1. */
    public double loss() {
        return sent == 0 ? 0 : (double) lost / (double) sent;
    }
}
