package org.lagbench.compression.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Codec;

/**
 * Chooses between no compression and one codec by a model of Hu (2003). The speed and ratio of the codec are running
 * averages. One chunk in {@value #REFRESH} is always compressed to update them.
 */
final class ModelChooser implements ChunkChooser {
    private static final int NONE = 0;
    private static final int CODEC = 1;
    private static final int REFRESH = 64;

    private final List<Codec.Choice> codecs;
    private final DoubleBinaryOperator totalNs;
    private final PathBandwidth bandwidth;
    private final CodecEstimate codec = new CodecEstimate(1, 1);
    private int chunks;
    private boolean isKnown;

    /** @param totalNs combines the times to compress and to transmit a chunk */
    private ModelChooser(List<Codec.Choice> codecs, PathBandwidth bandwidth, DoubleBinaryOperator totalNs) {
        this.codecs = codecs;
        this.bandwidth = bandwidth;
        this.totalNs = totalNs;
    }

    /**
     * Returns the chooser by formulas (1) to (5). It compresses if compressing and then transmitting the chunk takes
     * less time than transmitting the raw chunk.
     */
    static ModelChooser ofPaper(List<Codec.Choice> codecs, PathBandwidth bandwidth) {
        return new ModelChooser(codecs, bandwidth, Double::sum);
    }

    /**
     * Returns the chooser by formula (6). It compresses if the longer of compression and transmission takes less time
     * than transmitting the raw chunk.
     */
    static ModelChooser ofOverlap(List<Codec.Choice> codecs, PathBandwidth bandwidth) {
        return new ModelChooser(codecs, bandwidth, Math::max);
    }

    @Override
    public List<Codec.Choice> codecs() {
        return codecs;
    }

    /**
     * While the bandwidth or the codec's speed is unknown, compresses other chunks only if they have to wait for
     * earlier ones.
     */
    @Override
    public int choose(ByteBuffer chunk) {
        int index = chunks++ % REFRESH;
        isKnown = index != 0 && bandwidth.isKnown() && codec.isMeasured();
        if (index == 0) {
            return CODEC;
        } else if (!isKnown) {
            return bandwidth.hasBacklog() ? CODEC : NONE;
        }
        double bytes = chunk.remaining();
        double encodedNs = bandwidth.transmissionNs(bytes / codec.ratio());
        boolean isFaster =
                totalNs.applyAsDouble(codec.compressionNs(bytes), encodedNs) < bandwidth.transmissionNs(bytes);
        return isFaster ? CODEC : NONE;
    }

    @Override
    public void encoded(int index, int rawBytes, int encodedBytes, long compressNs) {
        if (index == CODEC) {
            codec.measured(rawBytes, encodedBytes, compressNs, false);
        }
    }

    @Override
    public void progress(SocketState state) {
        bandwidth.progress(state);
    }

    @Override
    public void connected(long previousBytes) {
        bandwidth.connected(previousBytes);
    }

    @Override
    public @Nullable CodecEstimate estimate() {
        return isKnown ? codec : null;
    }

    @Override
    public double estimatedBandwidthBitsPerS() {
        return isKnown ? bandwidth.bitsPerS() : UNKNOWN;
    }

    @Override
    public void close() throws IOException {
        bandwidth.close();
    }
}
