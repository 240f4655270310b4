package org.lagbench.analysis.transfer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.TransferSpec;

/**
 * An answered transfer whose pieces were chunks. Times are in ns.
 *
 * @param chunks number of chunks
 * @param compressed number of chunks that a codec shortened
 * @param chosen number of chunks for which a codec was chosen, whether it shortened them or not
 * @param encodedBytes bytes sent for all chunks, without headers
 * @param totalNs from just before the first chunk was compressed until the answer was received
 * @param compressNs time to compress, summed over the chunks
 * @param sendNs time in the calls that sent the chunks, summed over the chunks
 * @param leastSendNs the least time of such a call, which then only copied the chunk to the socket buffer
 * @param decompressNs time to decompress and verify, summed over the chunks
 */
record CompressedTransfer(
        long chunks,
        long compressed,
        long chosen,
        long rawBytes,
        long encodedBytes,
        long totalNs,
        long compressNs,
        long sendNs,
        long leastSendNs,
        long decompressNs) {
    /** Reads the answered transfers of a run. */
    static List<CompressedTransfer> read(Path directory, RunRecord run) throws LagbenchException {
        Path chunksFile = directory.resolve(ChunkCapture.SENDER_FILE_NAME);
        Path decodedFile = directory.resolve(ChunkCapture.RECEIVER_FILE_NAME);
        List<CompressedTransfer> transfers = new ArrayList<>();
        if (!Files.exists(chunksFile) || !Files.exists(decodedFile)) {
            return transfers;
        }
        TransferSpec spec = Objects.requireNonNull(run.point().traffic().transfer(), "other traffic");
        long chunks = spec.pieces(run.point().packetBytes());
        try (CaptureReader answered = CaptureReader.open(directory.resolve(TransferFiles.TRANSFERS_FILE_NAME));
                CaptureReader sent = CaptureReader.open(chunksFile);
                CaptureReader decoded = CaptureReader.open(decodedFile)) {
            for (long record = 0; record < answered.records(); record++) {
                long first = answered.value(record, answered.field("transfer")) * chunks;
                if (first + chunks <= Math.min(sent.records(), decoded.records())) {
                    long answeredNs = answered.value(record, answered.field("answered_ns"));
                    transfers.add(of(sent, decoded, first, first + chunks, answeredNs));
                }
            }
        }
        return transfers;
    }

    private static CompressedTransfer of(
            CaptureReader sent, CaptureReader decoded, long first, long end, long answeredNs) throws LagbenchException {
        int codec = sent.field(ChunkCapture.CODEC);
        int choice = sent.has(ChunkCapture.CHOSEN_CODEC) ? sent.field(ChunkCapture.CHOSEN_CODEC) : codec;
        long compressed = 0;
        long chosen = 0;
        long leastSendNs = Long.MAX_VALUE;
        for (long chunk = first; chunk < end; chunk++) {
            compressed += sent.value(chunk, codec) == 0 ? 0 : 1;
            chosen += sent.value(chunk, choice) == 0 ? 0 : 1;
            leastSendNs = Math.min(
                    leastSendNs,
                    sent.value(chunk, sent.field("send_end_ns")) - sent.value(chunk, sent.field("send_begin_ns")));
        }
        return new CompressedTransfer(
                end - first,
                compressed,
                chosen,
                sum(sent, "raw_bytes", first, end),
                sum(sent, "encoded_bytes", first, end),
                answeredNs - sent.value(first, sent.field("compress_begin_ns")),
                difference(sent, "compress", first, end),
                difference(sent, "send", first, end),
                Math.max(0, leastSendNs),
                difference(decoded, "decompress", first, end));
    }

    private static long difference(CaptureReader capture, String stage, long first, long end) throws LagbenchException {
        return sum(capture, stage + "_end_ns", first, end) - sum(capture, stage + "_begin_ns", first, end);
    }

    /** Returns the sum. A sum of stamps may overflow, but the difference of two such sums is still correct. */
    private static long sum(CaptureReader capture, String name, long first, long end) throws LagbenchException {
        int field = capture.field(name);
        long sum = 0;
        for (long chunk = first; chunk < end; chunk++) {
            sum += capture.value(chunk, field);
        }
        return sum;
    }
}
