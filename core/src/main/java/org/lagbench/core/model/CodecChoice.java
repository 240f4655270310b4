package org.lagbench.core.model;

/**
 * A codec and its level, written {@code gzip-6}, or {@code lz4} for a codec without levels.
 *
 * @param level from {@link Codec#minimumLevel} to {@link Codec#maximumLevel}
 */
public record CodecChoice(Codec codec, int level) {
    /** Returns the name in experiments and tables. */
    public String name() {
        return codec.maximumLevel() == Codec.NO_LEVEL ? codec.name() : codec.name() + "-" + level;
    }
}
