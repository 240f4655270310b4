package org.lagbench.compression.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec.DataKind;
import org.lagbench.core.text.Units;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Chooses the codec of each chunk, and encodes it. One thread at a time calls all methods except {@link #wrote}, which
 * the sending thread calls. Only the constructor and {@link #newChunk} allocate.
 */
final class ChunkCompressor implements AutoCloseable {
    private static final int CALIBRATION_TIMES = 3;
    private static final int CALIBRATION_BYTES = 1 << 16;

    private final long tag;
    private final int chunkBytes;
    private final ChunkData data;
    private final ChunkChooser chooser;
    private final List<Codec.Choice> codecs;
    private final Codec.Encoder[] encoders;
    private final int maximumBytes;
    private final ByteBuffer tried;
    private final CRC32C checksum = new CRC32C();
    private final CRC32C all = new CRC32C();
    private final SocketState state = new SocketState();
    private long encodedBytes;
    private long lastBytes;
    private volatile long blockedNs;

    /** @throws LagbenchException if a codec cannot be used */
    ChunkCompressor(long tag, int chunkBytes, ChunkData data, ChunkChooser chooser) throws LagbenchException {
        this.tag = tag;
        this.chunkBytes = chunkBytes;
        this.data = data;
        this.chooser = chooser;
        this.codecs = chooser.codecs();
        this.encoders = new Codec.Encoder[codecs.size()];
        for (int index = 0; index < encoders.length; index++) {
            encoders[index] = Codecs.openEncoder(codecs.get(index));
        }
        this.maximumBytes = codecs.stream()
                .mapToInt(choice -> choice.codec().maximumBytes(chunkBytes))
                .max()
                .orElseThrow();
        this.tried = ByteBuffer.allocateDirect(maximumBytes);
        calibrate();
    }

    /** Measures the speed of each codec with text, if there are several. Repeats, because the first use is slow. */
    private void calibrate() throws LagbenchException {
        ByteBuffer text = DataGenerator.generate(DataKind.TEXT, Math.min(chunkBytes, CALIBRATION_BYTES), 1);
        for (int index = 0; codecs.size() > 1 && index < codecs.size(); index++) {
            try {
                chooser.calibrated(index, Units.NS_PER_S * text.capacity() / fastestNs(encoders[index], text));
            } catch (IOException e) {
                throw CodecMeter.failed(codecs.get(index), e);
            }
        }
    }

    private long fastestNs(Codec.Encoder encoder, ByteBuffer text) throws IOException {
        long fastestNs = Long.MAX_VALUE;
        for (int i = 0; i < CALIBRATION_TIMES; i++) {
            tried.clear();
            long beginNs = System.nanoTime();
            encoder.encode(text.clear(), tried);
            fastestNs = Math.min(fastestNs, Math.max(1, System.nanoTime() - beginNs));
        }
        return fastestNs;
    }

    /** Returns whether the state of a connection can be read, which policies need. */
    boolean canReadState(TransferSender connection) throws IOException {
        return connection.readState(state.values(), 0) && state.isKnown();
    }

    /** Returns a buffer for the result of {@link #compress}. */
    EncodedChunk newChunk() {
        return new EncodedChunk(Math.max(maximumBytes, chunkBytes));
    }

    /**
     * Begins a connection. The receiver must have read everything from the previous one.
     *
     * @param prefixBytes bytes already sent over the connection
     */
    void begin(int prefixBytes) {
        chooser.connected(encodedBytes);
        encodedBytes = prefixBytes;
        lastBytes = 0;
    }

    /** Adds the duration of a write call. Only the sending thread calls this method. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    void wrote(long ns) {
        blockedNs += Math.max(0, ns - SocketState.LONGEST_WRITE_NS);
    }

    /** Returns whether a dedicated thread should compress the next chunks. */
    boolean isWorthThread() {
        return chooser.isWorthThread();
    }

    /**
     * Chooses the codec of a chunk and encodes it.
     *
     * @param skippedBytes bytes at the beginning of the chunk that were already sent
     */
    void compress(long sequence, TransferSender connection, int skippedBytes, EncodedChunk to) throws IOException {
        ByteBuffer raw = data.chunk(sequence);
        int offset = raw.position();
        long occupancyBytes = readState(connection);
        int index = chooser.choose(raw);
        Codec.Choice choice = codecs.get(index);
        to.decided(choice, chooser, occupancyBytes); // here, before the trial and this chunk change the estimates
        tryOther(raw);
        long beginNs = RealtimeClock.nowNs();
        int bytes = encoders[index].encode(raw, to.body());
        boolean isShorter = bytes < chunkBytes;
        raw.limit(offset + chunkBytes).position(offset);
        if (!isShorter) {
            to.body().put(raw);
            raw.position(offset);
            bytes = chunkBytes;
        }
        long endNs = RealtimeClock.nowNs();
        chooser.encoded(index, chunkBytes, bytes, endNs - beginNs);
        checksum.reset();
        checksum.update(raw);
        if (sequence >= 0) {
            raw.position(offset);
            all.update(raw);
        }
        lastBytes = (long) ChunkLayout.HEADER_BYTES + bytes - skippedBytes;
        encodedBytes += lastBytes;
        to.complete(
                tag,
                sequence,
                isShorter ? choice.codec().id() : 0,
                isShorter ? choice.level() : Codec.NO_LEVEL,
                chunkBytes,
                bytes,
                (int) checksum.getValue());
        to.compressed(beginNs, endNs);
        to.checksumOfAll(all.getValue());
    }

    /** Returns the number of bytes in the send buffer; −1 if unknown. */
    private long readState(TransferSender connection) throws IOException {
        if (!canReadState(connection)) {
            return -1;
        }
        state.read(RealtimeClock.nowNs(), encodedBytes, lastBytes, blockedNs);
        chooser.progress(state);
        return state.bufferBytes();
    }

    private void tryOther(ByteBuffer raw) throws IOException {
        int index = chooser.trial();
        if (index != ChunkChooser.NO_TRIAL) {
            int offset = raw.position();
            tried.clear();
            long beginNs = System.nanoTime();
            int bytes = encoders[index].encode(raw, tried);
            chooser.encoded(index, chunkBytes, Math.min(bytes, chunkBytes), System.nanoTime() - beginNs);
            raw.limit(offset + chunkBytes).position(offset);
        }
    }

    /** @throws IOException if the chooser failed to read the bandwidth during the run */
    @Override
    public void close() throws IOException {
        for (Codec.Encoder encoder : encoders) {
            encoder.close();
        }
        chooser.close();
    }
}
