package org.lagbench.core.codec;

import org.lagbench.core.registry.TextEnum;

/** How a sender decides about each chunk, instead of one codec for all. */
public enum ChunkPolicy implements TextEnum {
    /** Hu's formulas (1) to (5): gzip-6 if the bandwidth is below V(1 − 1/r). */
    PAPER,
    /** Hu's formula (6): gzip-6 if it shortens the slower of compression and transmission. */
    OVERLAP,
    /** The codec and level with the shortest slowest stage, from running estimates. */
    ADAPTIVE
}
