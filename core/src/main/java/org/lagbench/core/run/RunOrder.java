package org.lagbench.core.run;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The order of an experiment's runs, the same for a seed on every machine and version of Java.
 *
 * <p>The numbers come from SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014,
 * with the finalizer of Stafford's Mix13), which is {@link SplittableRandom}, started with the seed. Each repeat
 * shuffles the points in the experiment's order after Durstenfeld (CACM 7/1964, algorithm 235): for i from the last
 * index down to 1, i is swapped with the next number, unsigned, modulo i + 1. The generator continues from repeat to
 * repeat.
 *
 * <p>With pairs, each repeat shuffles the pairs first, numbered by their first points, and then the points of each pair
 * in the order in which the pairs come.
 */
public final class RunOrder {
    private final SplittableRandom numbers;

    public RunOrder(long seed) {
        numbers = new SplittableRandom(seed);
    }

    /** Returns a random seed from 0 to 4,294,967,295, short enough to be typed. */
    public static long drawSeed() {
        return Integer.toUnsignedLong(new SecureRandom().nextInt());
    }

    /** Returns the order of the next repeat: the indices of {@code points} points, each once. */
    public int[] next(int points) {
        int[] order = IntStream.range(0, points).toArray();
        for (int i = points - 1; i > 0; i--) {
            int other = (int) Long.remainderUnsigned(numbers.nextLong(), i + 1L);
            int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return order;
    }

    /**
     * Returns the order of the next repeat with the points of a pair adjacent.
     *
     * @param pairs the number of each point's pair, from 0 without gaps; a pair has one point or more
     */
    public int[] nextOfPairs(int[] pairs) {
        Map<Integer, List<Integer>> points =
                IntStream.range(0, pairs.length).boxed().collect(Collectors.groupingBy(point -> pairs[point]));
        return Arrays.stream(next(points.size()))
                .mapToObj(points::get)
                .flatMapToInt(members -> Arrays.stream(next(members.size())).map(members::get))
                .toArray();
    }
}
