package org.lagbench.packetio.chunk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.codec.Codec;
import org.lagbench.core.codec.CodecChoice;
import org.lagbench.core.codec.Codecs;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.time.RealtimeClock;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.TransferPlan;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.TransferSender;

/**
 * Compresses, sends and records the chunks of a run. One thread calls all methods except {@link #close}, which any
 * thread may call afterwards. Only its creation allocates.
 */
public final class ChunkEncoder implements AutoCloseable {
    /** The key of the checksum of the raw bytes of all recorded chunks. */
    static final String CHECKSUM = "chunksCrc32c";

    private static final double PERMILLE = 1e3;
    private static final int ACKED_BYTES = TransferFiles.TCP_FIELDS.indexOf("acked_bytes") - 1;

    private final long tag;
    private final int chunkBytes;
    private final ChunkData data;
    private final ChunkChooser chooser;
    private final List<CodecChoice> codecs;
    private final Codec.Encoder[] encoders;
    private final ByteBuffer frame;
    private final CRC32C checksum = new CRC32C();
    private final CRC32C all = new CRC32C();
    private final ChunkCapture capture;
    private final long[] record = new long[ChunkCapture.SENDER_FIELDS.size()];
    private final long[] state = new long[TransferFiles.TCP_FIELDS.size() - 1];
    private long writtenBytes;
    private long lastBytes;

    private ChunkEncoder(EngineConfig config, ChunkData data, ChunkChooser chooser, ChunkCapture capture) {
        this.tag = config.run().tag();
        this.chunkBytes = config.run().packetBytes();
        this.data = data;
        this.chooser = chooser;
        this.codecs = chooser.codecs();
        this.encoders = codecs.stream()
                .map(choice -> choice.codec().openEncoder(choice.level()))
                .toArray(Codec.Encoder[]::new);
        int largest = codecs.stream()
                .mapToInt(choice -> choice.codec().maximumBytes(chunkBytes))
                .max()
                .orElseThrow();
        this.frame = ByteBuffer.allocateDirect(ChunkLayout.HEADER_BYTES + Math.max(largest, chunkBytes));
        this.capture = capture;
    }

    /** Opens the encoder of a sending side, and creates the capture of chunks beside the sender's capture. */
    public static ChunkEncoder open(EngineConfig config, CompressionSpec compression) throws LagbenchException {
        long chunks = TransferPlan.of(config).pieces();
        ChunkData data = ChunkData.of(compression, chunks, config.run().packetBytes());
        ChunkChooser chooser = Choosers.of(compression, Codecs.load());
        try {
            ChunkCapture capture = ChunkCapture.ofSender(config.captureFile(), config.packets());
            return new ChunkEncoder(config, data, chooser, capture);
        } catch (IOException e) {
            try {
                chooser.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw IoErrors.toException("The capture of chunks cannot be created", e);
        }
    }

    /**
     * Begins a connection.
     *
     * @param prefixBytes bytes already sent over the connection
     */
    void begin(int prefixBytes) {
        writtenBytes = prefixBytes;
        lastBytes = 0;
        chooser.connected();
    }

    /**
     * Compresses a chunk and sends it.
     *
     * @param skippedBytes bytes at the beginning of the chunk that were already sent
     * @param stamps receives the times just before and just after the call that sends the chunk, CLOCK_REALTIME in ns
     */
    void send(long sequence, TransferSender connection, int skippedBytes, long[] stamps) throws IOException {
        ByteBuffer raw = data.chunk(sequence);
        int offset = raw.position();
        long ackedBytes = connection.readState(state, 0) ? state[ACKED_BYTES] : -1;
        long occupancyBytes = ackedBytes < 0 ? -1 : writtenBytes - ackedBytes;
        long beginNs = RealtimeClock.nowNs();
        if (ackedBytes >= 0) {
            chooser.progress(beginNs, ackedBytes, Math.max(0, occupancyBytes - lastBytes));
        }
        int index = chooser.choose(raw);
        CodecChoice choice = codecs.get(index);
        frame.clear().position(ChunkLayout.HEADER_BYTES);
        int encodedBytes = encoders[index].encode(raw, frame);
        boolean isShorter = encodedBytes < chunkBytes;
        raw.limit(offset + chunkBytes).position(offset);
        if (!isShorter) {
            frame.clear().position(ChunkLayout.HEADER_BYTES);
            frame.put(raw);
            raw.position(offset);
            encodedBytes = chunkBytes;
        }
        long endNs = RealtimeClock.nowNs();
        chooser.encoded(index, chunkBytes, encodedBytes, endNs - beginNs);
        checksum.reset();
        checksum.update(raw);
        if (sequence >= 0) {
            raw.position(offset);
            all.update(raw);
        }
        int codec = isShorter ? choice.codec().id() : 0;
        int level = isShorter ? choice.level() : Codec.NO_LEVEL;
        PacketLayout.putIdentity(frame, 0, tag, sequence);
        ChunkLayout.put(frame, 0, codec, level, chunkBytes, encodedBytes, (int) checksum.getValue());
        frame.limit(ChunkLayout.HEADER_BYTES + encodedBytes).position(skippedBytes);
        long sendNs = RealtimeClock.nowNs();
        PacketLayout.putSentNs(frame, 0, sendNs);
        connection.write(frame);
        long returnedNs = RealtimeClock.nowNs();
        lastBytes = (long) ChunkLayout.HEADER_BYTES + encodedBytes;
        writtenBytes += lastBytes - skippedBytes;
        stamps[0] = sendNs;
        stamps[1] = returnedNs;
        record(sequence, encodedBytes, codec, level, beginNs, endNs, sendNs, returnedNs, occupancyBytes);
    }

    private void record(
            long sequence,
            int encodedBytes,
            int codec,
            int level,
            long beginNs,
            long endNs,
            long sendNs,
            long returnedNs,
            long occupancyBytes) {
        int field = 0;
        record[field++] = sequence;
        record[field++] = chunkBytes;
        record[field++] = encodedBytes;
        record[field++] = codec;
        record[field++] = level;
        record[field++] = beginNs;
        record[field++] = endNs;
        record[field++] = sendNs;
        record[field++] = returnedNs;
        record[field++] = occupancyBytes;
        record[field++] = scaled(chooser.estimatedRatio(), PERMILLE);
        record[field++] = scaled(chooser.estimatedBytesPerS(), 1);
        record[field] = scaled(chooser.estimatedBandwidthBitsPerS(), 1);
        capture.append(record);
    }

    private static long scaled(double estimate, double factor) {
        return estimate < 0 ? -1 : Math.round(estimate * factor);
    }

    /** Returns the checksum of the raw bytes of the recorded chunks that were sent, for {@code run.json}. */
    public Map<String, Object> metadata() {
        return Map.of(CHECKSUM, Long.toHexString(all.getValue()));
    }

    @Override
    public void close() throws IOException {
        for (Codec.Encoder encoder : encoders) {
            encoder.close();
        }
        chooser.close();
        capture.close();
    }
}
