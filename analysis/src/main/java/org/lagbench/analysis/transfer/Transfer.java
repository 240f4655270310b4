package org.lagbench.analysis.transfer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.ProbeCurve;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.WindowGrowth;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.ReceivedBytesCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;

/**
 * An answered transfer.
 *
 * @param elapsedNs from just before the first piece was sent to just after the answer was received
 * @param latencyNs half of the least round trip, NaN if unknown: of the kernel, else of the connection's establishment
 * @param receiverBitsPerS the receiver's rate from its first receive call to its last: the bytes after the first call,
 *     by the time after it, with the transmission of neither the first bytes nor the answer; NaN if one call received
 *     everything. It counts the bytes before encoding
 * @param encodedBitsPerS the same of the encoded bytes with their headers; NaN if no codec encoded them
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
            ReceivedBytesCapture.FILE_NAME,
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
     * @param bytes size of each transfer
     * @param pieces number of packets in each transfer
     */
    static List<Transfer> read(Path directory, long bytes, long pieces) throws LagbenchException {
        boolean isEncoded = Files.exists(directory.resolve(ChunkCapture.SENDER_FILE_NAME));
        Map<Long, Received> received = received(directory.resolve(ReceivedBytesCapture.FILE_NAME));
        Map<Long, ConnectionStates> states = states(directory.resolve(TransferFiles.TCP_FILE_NAME));
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

    private static Map<Long, ConnectionStates> states(Path file) throws LagbenchException {
        if (!Files.exists(file)) {
            return Map.of();
        }
        try (CaptureReader states = CaptureReader.open(file)) {
            return ConnectionStates.read(states);
        }
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

    private static Map<Long, Received> received(Path file) throws LagbenchException {
        Map<Long, Received> rates = new HashMap<>();
        if (!Files.exists(file)) {
            return rates;
        }
        try (CaptureReader calls = CaptureReader.open(file)) {
            int transferField = calls.field("transfer");
            int bytesField = calls.field("bytes");
            int receivedField = calls.field("received_ns");
            for (long first = 0; first < calls.records(); ) {
                long transfer = calls.value(first, transferField);
                long last = first;
                while (last + 1 < calls.records() && calls.value(last + 1, transferField) == transfer) {
                    last++;
                }
                long bytes = calls.value(last, bytesField);
                double ns = (double) (calls.value(last, receivedField) - calls.value(first, receivedField));
                double rate = Transfer.bitsPerS((double) (bytes - calls.value(first, bytesField)), ns);
                rates.put(transfer, new Received(bytes, rate));
                first = last + 1;
            }
        }
        return rates;
    }

    /**
     * Figures computed from the states of the connection during a transfer.
     *
     * @param inSlowStart whether it never left slow start: the congestion window is below the threshold at the end and
     *     was never reduced (RFC 5681, section 3.1); with bbr whether it never left startup
     * @param cwndSegments the congestion window at the end, in segments
     * @param segmentBytes payload of a full segment
     * @param minRttNs the least round trip in ns; −1 if the kernel does not have it
     * @param retransmittedSegments segments sent again
     * @param busyUs time with data to send, in µs; −1 if the kernel does not report this value and the next two
     * @param rwndLimitedUs the part of {@code busyUs} limited by the receiver's window
     * @param sndbufLimitedUs the part of {@code busyUs} limited by the send buffer
     * @param deliveryRateBytesPerS the greatest delivery rate that the program did not limit; −1 if there is none
     * @param verdict what limited the transfer, and its rate
     * @param slowStart the window in each round trip; empty if the transfer left slow start
     */
    record ConnectionStates(
            boolean inSlowStart,
            long cwndSegments,
            long segmentBytes,
            long minRttNs,
            long retransmittedSegments,
            long busyUs,
            long rwndLimitedUs,
            long sndbufLimitedUs,
            long deliveryRateBytesPerS,
            ProbeVerdict verdict,
            List<WindowGrowth> slowStart) {
        /** Reads the states of each transfer. */
        static Map<Long, ConnectionStates> read(CaptureReader states) throws LagbenchException {
            Map<Long, ConnectionStates> all = new HashMap<>();
            int transferField = states.field("transfer");
            for (long first = 0; first < states.records(); ) {
                long transfer = states.value(first, transferField);
                long end = first + 1;
                while (end < states.records() && states.value(end, transferField) == transfer) {
                    end++;
                }
                all.put(transfer, of(ProbeCurve.read(states, first, end)));
                first = end;
            }
            return all;
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
                    curve.value(last, "cwnd_segments"),
                    curve.value(last, "mss_bytes"),
                    curve.value(last, "min_rtt_ns"),
                    curve.increase("retransmitted_segments", 0, last),
                    curve.increase("busy_us", 0, last),
                    curve.increase("rwnd_limited_us", 0, last),
                    curve.increase("sndbuf_limited_us", 0, last),
                    rate,
                    ProbeVerdict.of(curve),
                    WindowGrowth.of(curve));
        }
    }
}
