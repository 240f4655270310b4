package org.lagbench.packetio.chunk;

import java.nio.ByteBuffer;
import java.util.List;
import org.lagbench.core.codec.CodecChoice;

/** Decides by which codec each chunk is sent. One thread calls all methods; they allocate nothing. */
interface ChunkChooser {
    /** The value of an estimate on which the decision is not based. */
    double UNKNOWN = -1;

    /** Returns the codecs among which it chooses. */
    List<CodecChoice> codecs();

    /**
     * Returns the index of the codec for a chunk.
     *
     * @param chunk the raw chunk between its position and its limit, which do not change
     */
    int choose(ByteBuffer chunk);

    /** Notes the size of the chunk after encoding, and how long the codec took. */
    default void encoded(int index, int rawBytes, int encodedBytes, long compressNs) {}

    /**
     * Notes the progress of the connection.
     *
     * @param atNs when it was read
     * @param ackedBytes bytes that the receiver has acknowledged since the connection was established
     * @param backlogBytes bytes of chunks before the last one that the receiver has not yet acknowledged
     */
    default void progress(long atNs, long ackedBytes, long backlogBytes) {}

    /** Notes that a connection was established. */
    default void connected() {}

    /** Returns the ratio that was estimated for the last decision. */
    default double estimatedRatio() {
        return UNKNOWN;
    }

    /** Returns the speed of compression that was estimated for the last decision, in bytes per second. */
    default double estimatedBytesPerS() {
        return UNKNOWN;
    }

    /** Returns the bandwidth that was estimated for the last decision, in bits per second. */
    default double estimatedBandwidthBitsPerS() {
        return UNKNOWN;
    }

    /** Returns the chooser that takes one codec for every chunk. */
    static ChunkChooser fixed(CodecChoice codec) {
        List<CodecChoice> codecs = List.of(codec);
        return new ChunkChooser() {
            @Override
            public List<CodecChoice> codecs() {
                return codecs;
            }

            @Override
            public int choose(ByteBuffer chunk) {
                return 0;
            }
        };
    }
}
