package org.lagbench.analysis.matrix;

/**
 * The verdict of a method whether two pairs of a round share a bottleneck.
 *
 * @param round the number of the round, from 1
 * @param first the first pair, {@code from/to}
 * @param second the second pair, {@code from/to}
 * @param sharing the verdict
 * @param probability that the bottleneck is shared; NaN if it is unknown
 * @param method the test: {@code delays}, {@code rates} or {@code summaries} (RFC 8382)
 */
public record PairSharing(int round, String first, String second, Sharing sharing, double probability, String method) {}
