package org.lagbench.core.matrix;

import java.util.List;

/**
 * The sites of a matrix, and the measurements between each two of them.
 *
 * @param name names the session directory
 * @param packetBytes size of the one-way packets and of the round-trip packets
 * @param packets number of recorded packets of each kind
 * @param intervalNs interval between packets in ns
 * @param budgetBytes maximum payload of the TCP transfers of a pair; 0 for no transfers
 * @param sites at least two, with different names
 */
public record MatrixSpec(
        String name, int packetBytes, long packets, long intervalNs, long budgetBytes, List<Site> sites) {
    /** The maximum number of sites. */
    public static final int MAXIMUM_SITES = 1_000;

    public MatrixSpec {
        sites = List.copyOf(sites);
    }
}
