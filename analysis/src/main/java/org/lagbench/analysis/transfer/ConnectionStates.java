package org.lagbench.analysis.transfer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.analysis.capacity.ProbeCurve;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.capacity.WindowGrowth;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;

/**
 * Figures computed from the states of the connection during a transfer.
 *
 * @param inSlowStart whether it never left slow start: the congestion window is below the threshold at the end and was
 *     never reduced (RFC 5681, section 3.1); with bbr whether it never left startup
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
