package org.lagbench.core.experiment;

import java.security.SecureRandom;

/**
 * The order of an experiment's runs, the same for a seed on every machine and every version of Java.
 *
 * <p>The numbers come from SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014,
 * with the finalizer of Stafford's Mix13) whose state begins at the seed. Each repeat takes the points as the
 * experiment lists them and shuffles them after Durstenfeld (CACM 7/1964, algorithm 235): for i from the last index
 * down to 1, it swaps i with the next number, taken as unsigned, modulo i + 1. The generator goes on from repeat to
 * repeat.
 */
public final class RunOrder {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** Begins the orders that follow from a seed. */
    public RunOrder(long seed) {
        state = seed;
    }

    /** Draws a seed for an experiment that leaves it to chance: 0 to 4,294,967,295, short enough to be typed. */
    public static long drawSeed() {
        return Integer.toUnsignedLong(new SecureRandom().nextInt());
    }

    /** The order of the next repeat: the indices of {@code points} points, each once. */
    public int[] next(int points) {
        int[] order = new int[points];
        for (int i = 0; i < points; i++) {
            order[i] = i;
        }
        for (int i = points - 1; i > 0; i--) {
            int other = (int) Long.remainderUnsigned(nextNumber(), i + 1L);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return order;
    }

    private long nextNumber() {
        state += GAMMA;
        long mixed = state;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }
}
