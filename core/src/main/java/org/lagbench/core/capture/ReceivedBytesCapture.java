package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The bytes that a receiver of transfers had read after each receive call: {@code transfer, bytes, received_ns}. The
 * transfers are numbered from 0, and the bytes are those of the transfer so far. The stamp is CLOCK_REALTIME in ns.
 *
 * <p>One thread writes; another may close the capture only after that thread has ended. {@link #append} allocates
 * nothing.
 */
public final class ReceivedBytesCapture extends PacketCapture {
    public static final String FILE_NAME = "receiver-bytes.npy";

    public static final List<String> FIELDS = List.of("transfer", "bytes", "received_ns");

    /** Few receive calls return less, except for the last bytes of a piece. */
    private static final int USUAL_CALL_BYTES = 512;

    private static final int EXTRA_RECORDS = 1024;

    private static final int TRANSFER = 0;
    private static final int BYTES = 1;
    private static final int RECEIVED_NS = 2;

    private ReceivedBytesCapture(CaptureFile file, long capacity) {
        super(file, capacity);
    }

    /** Creates a capture with room for the receive calls that are usually needed; see {@link CaptureFile#create}. */
    public static ReceivedBytesCapture create(Path path, long pieces, int pieceBytes) throws IOException {
        long capacity = pieces + pieces * pieceBytes / USUAL_CALL_BYTES + EXTRA_RECORDS;
        return new ReceivedBytesCapture(CaptureFile.create(path, FIELDS, capacity), capacity);
    }

    /**
     * Appends the record of a receive call. That of the warm-up (a negative transfer) takes the same path without a
     * branch, but leaves zeros where the next record will be.
     *
     * @return whether it fitted
     */
    public boolean append(long transfer, long bytes, long receivedNs) {
        return append(transfer, RECEIVED_NS, receivedNs, BYTES, bytes);
    }

    /** Returns the file's path. */
    public Path path() {
        return file.path();
    }

    /** Counts the records that another process has appended, after it stopped. */
    public void recoverRecordCount() {
        recoverRecordCount(TRANSFER, RECEIVED_NS);
    }
}
