package org.lagbench.core.model;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A lossless compression format for chunks. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.model.Codec} and found by {@link Codecs}. Implementations have a cheap
 * public constructor without arguments, load their library only when opened, and are thread-safe.
 */
public interface Codec extends Registry.Named {
    /** The level of a codec without levels. */
    int NO_LEVEL = 0;

    /** Returns the codec's number in the chunk header, from 0 to 127. It never changes between versions. */
    int id();

    @Override
    default int order() {
        return id();
    }

    /** Returns the smallest level, which is the fastest; {@link #NO_LEVEL} if the codec has no levels. */
    default int minimumLevel() {
        return NO_LEVEL;
    }

    /** Returns the largest level; {@link #NO_LEVEL} if the codec has no levels. */
    default int maximumLevel() {
        return NO_LEVEL;
    }

    /** Returns the maximum encoded size of a chunk with this many raw bytes, in bytes. */
    int maximumBytes(int bytes);

    /** Opens an encoder, which one thread uses. */
    Encoder openEncoder(int level);

    /** Opens a decoder, which one thread uses. */
    Decoder openDecoder();

    /** Encodes chunks independently of each other. Encoding allocates nothing. */
    interface Encoder extends AutoCloseable {
        /**
         * Encodes the remaining bytes of a direct buffer. Positions and limits of both are undefined afterwards.
         *
         * @param to a direct buffer with room for {@link Codec#maximumBytes} at its position
         * @return the size of the encoded chunk in bytes
         */
        int encode(ByteBuffer from, ByteBuffer to) throws IOException;

        @Override
        default void close() {}
    }

    /** Decodes chunks independently of each other. */
    interface Decoder extends AutoCloseable {
        /**
         * Decodes the remaining bytes of a direct buffer. Positions and limits of both are undefined afterwards. Never
         * writes beyond the limit of {@code to}, even if the bytes are corrupt.
         *
         * @param to a direct buffer
         * @return the size of the decoded chunk in bytes
         * @throws IOException if the bytes are not a chunk of this codec, or the decoded chunk does not fit in
         *     {@code to}
         */
        int decode(ByteBuffer from, ByteBuffer to) throws IOException;

        @Override
        default void close() {}
    }

    /**
     * A codec and its level, written {@code gzip-6}, or {@code lz4} for a codec without levels.
     *
     * @param level from {@link Codec#minimumLevel} to {@link Codec#maximumLevel}
     */
    record Choice(Codec codec, int level) {
        /** Returns the name in experiments and tables. */
        public String name() {
            return codec.maximumLevel() == Codec.NO_LEVEL ? codec.name() : codec.name() + "-" + level;
        }
    }
}
