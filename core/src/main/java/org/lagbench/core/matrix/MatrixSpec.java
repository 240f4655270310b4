package org.lagbench.core.matrix;

import java.util.List;

/**
 * The sites of a matrix, and what is measured between each two of them.
 *
 * @param name names the session directory
 * @param packetBytes size of the packets whose lag is measured, and of those that are answered
 * @param packets how many of each are recorded
 * @param intervalNs between two of them, in ns
 * @param budgetBytes most payload of the TCP transfers of a pair; 0 for no transfers
 * @param sites at least two, with different names
 */
public record MatrixSpec(
        String name, int packetBytes, long packets, long intervalNs, long budgetBytes, List<Site> sites) {
    /** Most sites of a matrix. */
    public static final int MAXIMUM_SITES = 1_000;

    public MatrixSpec {
        sites = List.copyOf(sites);
    }
}
