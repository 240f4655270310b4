package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A capture with a record for each chunk, written by one side in the order of the chunks. Stamps are CLOCK_REALTIME in
 * ns of that side.
 *
 * <p>One thread writes; another may close the capture only after that thread has ended. {@link #append} allocates
 * nothing.
 */
public final class ChunkCapture extends PacketCapture {
    /** The sending side's file. */
    public static final String SENDER_FILE_NAME = "sender-chunks.npy";

    /** The receiving side's file. */
    public static final String RECEIVER_FILE_NAME = "receiver-chunks.npy";

    /** The field of the codec with which a chunk was sent. */
    public static final String CODEC = "codec";

    /** The field of the codec that was chosen for a chunk. */
    public static final String CHOSEN_CODEC = "chosen_codec";

    /**
     * The sending side's fields. A chunk is sent with {@code codec} 0 if {@code chosen_codec} did not shorten it.
     * {@code occupancy_bytes} is the number of bytes in the send buffer just before the codec was chosen, or −1 if
     * unknown. The estimates are those from which the codec was chosen, or −1 if it was chosen without them: the ratio
     * in 1/1000, the speed of compression, and the bandwidth.
     */
    public static final List<String> SENDER_FIELDS = List.of(
            "seq",
            "raw_bytes",
            "encoded_bytes",
            CODEC,
            "level",
            CHOSEN_CODEC,
            "chosen_level",
            "compress_begin_ns",
            "compress_end_ns",
            "send_begin_ns",
            "send_end_ns",
            "occupancy_bytes",
            "estimated_ratio_permille",
            "estimated_bytes_per_s",
            "estimated_bandwidth_bits_per_s");

    /** The receiving side's fields. */
    public static final List<String> RECEIVER_FIELDS =
            List.of("seq", "received_ns", "decompress_begin_ns", "decompress_end_ns");

    private static final int SEQUENCE = 0;

    private final int fields;
    private final int stamp;

    private ChunkCapture(CaptureFile file, long capacity, int fields, int stamp) {
        super(file, capacity);
        this.fields = fields;
        this.stamp = stamp;
    }

    /** Creates the sending side's capture next to its other files; see {@link CaptureFile#create}. */
    public static ChunkCapture ofSender(Path captureFile, long chunks) throws IOException {
        return create(captureFile.resolveSibling(SENDER_FILE_NAME), chunks, SENDER_FIELDS, "send_end_ns");
    }

    /** Creates the receiving side's capture next to its other files; see {@link CaptureFile#create}. */
    public static ChunkCapture ofReceiver(Path captureFile, long chunks) throws IOException {
        return create(captureFile.resolveSibling(RECEIVER_FILE_NAME), chunks, RECEIVER_FIELDS, "decompress_end_ns");
    }

    private static ChunkCapture create(Path path, long chunks, List<String> fields, String stamp) throws IOException {
        return new ChunkCapture(CaptureFile.create(path, fields, chunks), chunks, fields.size(), fields.indexOf(stamp));
    }

    /**
     * Appends a record: the values of the fields, in order. An array passed as {@code values} is not copied. Ignores
     * chunks of the warm-up, whose sequence numbers are negative, and chunks beyond the capacity of the file.
     */
    public void append(long... values) {
        long record = records;
        if (values[SEQUENCE] < 0 || record >= capacity) {
            return;
        }
        MappedByteBuffer mapping = file.mapping(record);
        int at = file.offset(record);
        for (int field = 0; field < fields; field++) {
            if (field != stamp) {
                CaptureFile.put(mapping, at, field, values[field]);
            }
        }
        CaptureFile.putOrdered(mapping, at, stamp, values[stamp]);
        records = record + 1;
    }
}
