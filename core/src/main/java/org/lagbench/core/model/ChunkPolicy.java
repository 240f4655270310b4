package org.lagbench.core.model;

/** How a sender chooses the codec of each chunk, instead of one codec for all chunks. */
public enum ChunkPolicy implements TextEnum {
    /** Hu's formulas (1) to (5): gzip-6 if the bandwidth is below V(1 − 1/r), with speed V and ratio r; else none. */
    PAPER,
    /** As {@link #PAPER}, with the bandwidth from the kernel's counters of the bottleneck's interface. */
    PAPER_KERNEL,
    /** As {@link #PAPER}, with the bandwidth from the counters of the bottleneck's SNMP agent. */
    PAPER_SNMP,
    /**
     * Hu's formula (6): gzip-6 if the longer of compression and transmission is shorter than sending the raw chunk;
     * else none.
     */
    OVERLAP,
    /** AdOC's rule: none, lz4 or gzip-1 to gzip-9, a higher level for a longer send queue. */
    ADOC,
    /**
     * The codec and level with which a chunk delays the end of the transfer by the shortest time, according to running
     * estimates.
     */
    ADAPTIVE;

    /** Returns whether the policy reads the counters of the bottleneck's interface. */
    public boolean usesCounters() {
        return this == PAPER_KERNEL || this == PAPER_SNMP;
    }
}
