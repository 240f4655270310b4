package org.lagbench.compression.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;

/** Chooses the codec of each chunk. One thread at a time calls all methods; they allocate nothing. */
interface ChunkChooser extends AutoCloseable {
    /** The value of an estimate that the last decision did not use. */
    double UNKNOWN = -1;

    /** The value of {@link #trial} if there is none. */
    int NO_TRIAL = -1;

    /** The codecs of Hu's models: none and gzip. The paper does not specify the level of gzip. */
    List<String> PAPER = List.of("none", "gzip-6");

    List<String> ADAPTIVE = List.of("none", "lz4", "zstd-1", "zstd-3", "zstd-6", "zstd-9", "gzip-1", "gzip-6");

    /** The levels of AdOC, with lz4 in place of lzf. */
    List<String> ADOC = List.of(
            "none", "lz4", "gzip-1", "gzip-2", "gzip-3", "gzip-4", "gzip-5", "gzip-6", "gzip-7", "gzip-8", "gzip-9");

    /** Returns the codecs to choose from. */
    List<Codec.Choice> codecs();

    /**
     * Returns the index of the codec for a chunk.
     *
     * @param chunk the raw chunk between its position and its limit, which this method does not change
     */
    int choose(ByteBuffer chunk);

    /**
     * Returns the index of a codec to measure with this chunk before the chosen codec encodes it; {@link #NO_TRIAL} if
     * there is none.
     */
    default int trial() {
        return NO_TRIAL;
    }

    /** Returns whether {@link #isWorthThread} may ever return true. */
    default boolean mayUseThread() {
        return false;
    }

    /** Returns whether a dedicated thread should compress, according to the last decision. */
    default boolean isWorthThread() {
        return false;
    }

    /** Receives the speed of a codec, measured with other data before the first connection. */
    default void calibrated(int index, double bytesPerS) {}

    /** Receives the size of the chunk after encoding, and the time that the codec took. */
    default void encoded(int index, int rawBytes, int encodedBytes, long compressNs) {}

    /** Receives the state of the connection just before a decision. Not called if the kernel does not report it. */
    default void progress(SocketState state) {}

    /**
     * Called when a connection was established.
     *
     * @param previousBytes bytes sent over the previous connection, all of them acknowledged; 0 if there was none
     */
    default void connected(long previousBytes) {}

    /** Returns the estimates of the codec on which the last decision was based; null if it was based on none. */
    default @Nullable CodecEstimate estimate() {
        return null;
    }

    /** Returns the bandwidth that was estimated for the last decision, in bits per second. */
    default double estimatedBandwidthBitsPerS() {
        return UNKNOWN;
    }

    /** Releases the chooser's resources. */
    @Override
    default void close() throws IOException {}

    /** Returns a chooser that uses the same codec for every chunk. */
    static ChunkChooser fixed(Codec.Choice codec) {
        List<Codec.Choice> codecs = List.of(codec);
        return new ChunkChooser() {
            @Override
            public List<Codec.Choice> codecs() {
                return codecs;
            }

            @Override
            public int choose(ByteBuffer chunk) {
                return 0;
            }
        };
    }

    /**
     * Checks that the codec exists.
     *
     * @throws LagbenchException if not; the message lists the codecs
     */
    static void check(CompressionSpec compression) throws LagbenchException {
        if (compression.policy().isEmpty()) {
            of(compression, Codecs.load());
        }
    }

    /** Returns a chooser for the codec or policy that the experiment names. */
    static ChunkChooser of(CompressionSpec compression, Codecs codecs) throws LagbenchException {
        CompressionSpec.ChunkPolicy policy = compression.policy().orElse(null);
        if (policy == null) {
            return codecs.choice(compression.codec())
                    .map(ChunkChooser::fixed)
                    .orElseThrow(() -> ExitCode.USAGE.failure(
                            "There is no codec \"" + compression.codec() + "\"; there are " + codecs.accepted() + "."));
        }
        return switch (policy) {
            case PAPER -> ModelChooser.ofPaper(codecs.choices(PAPER), new BandwidthEstimate());
            case PAPER_KERNEL -> ModelChooser.ofPaper(codecs.choices(PAPER), CounterBandwidth.open("kernel"));
            case PAPER_SNMP -> ModelChooser.ofPaper(codecs.choices(PAPER), CounterBandwidth.open("snmp"));
            case OVERLAP -> ModelChooser.ofOverlap(codecs.choices(PAPER), new BandwidthEstimate());
            case ADOC -> new AdocChooser(codecs.choices(ADOC));
            case ADAPTIVE -> new AdaptiveChooser(codecs.choices(ADAPTIVE));
        };
    }
}
