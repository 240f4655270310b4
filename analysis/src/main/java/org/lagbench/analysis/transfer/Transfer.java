package org.lagbench.analysis.transfer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.ProbeCurve;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.SlowStart.WindowGrowth;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.text.Units;

/**
 * An answered transfer.
 *
 * @param elapsedNs from just before the first piece was sent to just after the reply was received
 * @param latencyNs half of the smallest round trip, NaN if unknown: of the kernel, else of the connection's
 *     establishment
 * @param receiverBitsPerS the receiver's rate from its first receive call to its last: the bytes after the first call,
 *     by the time after it, with the transmission of neither the first bytes nor the reply; NaN if one call received
 *     everything. It counts the bytes before encoding
 * @param encodedBitsPerS the receiver's rate of the encoded bytes with their headers; NaN if no codec encoded them
 * @param states what the states of the connection show; null if they were not recorded
 */
record Transfer(
        long bytes,
        long elapsedNs,
        double latencyNs,
        double receiverBitsPerS,
        double encodedBitsPerS,
        @Nullable ConnectionStates states) {

    /** The files of a run's directory that have the transfers, besides the stamps of their pieces. */
    static final List<String> FILES = List.of(
            TransferFiles.TRANSFERS_FILE_NAME,
            TransferFiles.TCP_FILE_NAME,
            ReceiverCapture.BYTES_FILE_NAME,
            ChunkCapture.SENDER_FILE_NAME,
            ChunkCapture.RECEIVER_FILE_NAME);

    /** Returns 8 S/Δt, as in the Network Weather Service and in Krintz and Wolski, JavaNws (2001), section 2.1.1. */
    double elapsedBitsPerS() {
        return bitsPerS((double) bytes, (double) elapsedNs);
    }

    /**
     * Returns 8 S/(Δt − latency), the formula of Yousaf, Welzl and Junaid, Fog in the Network Weather Service (2007),
     * section 2.2.
     */
    double latencySubtractedBitsPerS() {
        return bitsPerS((double) bytes, elapsedNs - latencyNs);
    }

    /** Returns NaN if the time is not positive. */
    private static double bitsPerS(double bytes, double ns) {
        return ns > 0 ? bytes * Byte.SIZE * Units.NS_PER_S / ns : Double.NaN;
    }

    /**
     * Reads the answered transfers of a run whose first packets have a stamp.
     *
     * @param directory the run's directory
     */
    static List<Transfer> read(Path directory, RunRecord run) throws LagbenchException {
        TransferSpec spec = Objects.requireNonNull(run.point().traffic().transfer(), "other traffic");
        long bytes = spec.bytes();
        long pieces = spec.pieces(run.point().packetBytes());
        boolean isEncoded = Files.exists(directory.resolve(ChunkCapture.SENDER_FILE_NAME));
        Map<Long, Received> received = readEach(directory.resolve(ReceiverCapture.BYTES_FILE_NAME), Transfer::received);
        Map<Long, ConnectionStates> states = ConnectionStates.read(directory.resolve(TransferFiles.TCP_FILE_NAME));
        List<Transfer> transfers = new ArrayList<>();
        try (CaptureReader answered = CaptureReader.open(directory.resolve(TransferFiles.TRANSFERS_FILE_NAME));
                CaptureReader sent = CaptureReader.open(directory.resolve(SenderCapture.FILE_NAME))) {
            double handshakeNs = Double.NaN;
            for (long record = 0; record < answered.records(); record++) {
                long transfer = answered.value(record, answered.field("transfer"));
                if (transfer < 0 || transfer >= (sent.records() + pieces - 1) / pieces) {
                    continue; // the stamps of its packets are missing or damaged
                }
                long startNs = answered.value(record, answered.field("start_ns"));
                long answeredNs = answered.value(record, answered.field("answered_ns"));
                if (startNs > 0) {
                    handshakeNs = (double) (answered.value(record, answered.field("connected_ns")) - startNs);
                }
                long sentNs = sent.value(transfer * pieces, sent.field("sent_ns"));
                ConnectionStates state = states.get(transfer);
                double roundTripNs = state != null && state.minRttNs() > 0 ? (double) state.minRttNs() : handshakeNs;
                Received bytesReceived = received.getOrDefault(transfer, Received.NONE);
                transfers.add(new Transfer(
                        bytes,
                        answeredNs - sentNs,
                        roundTripNs / 2,
                        isEncoded ? bytesReceived.bitsPerSOf(bytes) : bytesReceived.bitsPerS(),
                        isEncoded ? bytesReceived.bitsPerS() : Double.NaN,
                        state));
            }
        }
        return transfers;
    }

    /**
     * Combines the records of a transfer into a value.
     *
     * @param <T> the type of the value
     */
    @FunctionalInterface
    private interface RecordReader<T> {
        T read(CaptureReader capture, long first, long end) throws LagbenchException;
    }

    /** Reads the records of each transfer, which follow each other; none if there is no such file. */
    private static <T> Map<Long, T> readEach(Path file, RecordReader<T> reader) throws LagbenchException {
        Map<Long, T> all = new HashMap<>();
        if (Files.exists(file)) {
            try (CaptureReader capture = CaptureReader.open(file)) {
                int transferField = capture.field("transfer");
                for (long first = 0, end; first < capture.records(); first = end) {
                    long transfer = capture.value(first, transferField);
                    for (end = first + 1; end < capture.records(); end++) {
                        if (capture.value(end, transferField) != transfer) {
                            break;
                        }
                    }
                    all.put(transfer, reader.read(capture, first, end));
                }
            }
        }
        return all;
    }

    /**
     * What the receiver's calls returned of a transfer.
     *
     * @param bytes all bytes, after encoding
     * @param bitsPerS the rate of these bytes from the first receive call to the last
     */
    private record Received(long bytes, double bitsPerS) {
        static final Received NONE = new Received(0, Double.NaN);

        /** Returns the rate at which the bytes that were encoded arrived. */
        double bitsPerSOf(long rawBytes) {
            return bitsPerS * (double) rawBytes / (double) bytes;
        }
    }

    private static Received received(CaptureReader calls, long first, long end) throws LagbenchException {
        int bytesField = calls.field("bytes");
        int receivedField = calls.field("received_ns");
        long bytes = calls.value(end - 1, bytesField);
        double ns = (double) (calls.value(end - 1, receivedField) - calls.value(first, receivedField));
        return new Received(bytes, bitsPerS((double) (bytes - calls.value(first, bytesField)), ns));
    }

    /**
     * Metrics computed from the states of the connection during a transfer.
     *
     * @param inSlowStart whether it never left slow start: the congestion window is below the threshold at the end and
     *     was never reduced (RFC 5681, section 3.1); with bbr whether it never left startup
     * @param ends the first and the last state
     * @param deliveryRateBytesPerS the largest delivery rate that the program did not limit; −1 if there is none
     * @param verdict what limited the transfer, and its rate
     * @param slowStart the window in each round trip; empty if the transfer left slow start
     */
    record ConnectionStates(
            boolean inSlowStart,
            ProbeCurve ends,
            long deliveryRateBytesPerS,
            ProbeVerdict verdict,
            List<WindowGrowth> slowStart) {
        /** Reads the states of each transfer; none if they were not recorded. */
        static Map<Long, ConnectionStates> read(Path file) throws LagbenchException {
            return readEach(file, (states, first, end) -> of(ProbeCurve.read(states, first, end)));
        }

        /** Returns the smallest round trip in ns; −1 if the kernel does not support it. */
        long minRttNs() {
            return last("min_rtt_ns");
        }

        long last(String field) {
            return ends.value(1, field);
        }

        long increase(String field) {
            return ends.increase(field, 0, 1);
        }

        /** @param curve begins before the transfer's first piece; the connection may have had earlier transfers */
        private static ConnectionStates of(ProbeCurve curve) {
            int last = curve.last();
            long rate = -1;
            for (int state = 0; state <= last; state++) {
                if (curve.value(state, "app_limited") == 0) {
                    rate = Math.max(rate, curve.value(state, "delivery_rate_bytes_per_s"));
                }
            }
            return new ConnectionStates(
                    ProbeVerdict.isInSlowStart(curve),
                    curve.ends(),
                    rate,
                    ProbeVerdict.of(curve),
                    WindowGrowth.of(curve));
        }
    }
}
