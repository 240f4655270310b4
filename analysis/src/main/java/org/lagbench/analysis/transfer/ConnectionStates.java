package org.lagbench.analysis.transfer;

import java.util.HashMap;
import java.util.Map;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.failure.LagbenchException;

/**
 * What the states of the connection during a transfer show.
 *
 * @param inSlowStart whether it never left slow start: the congestion window is below the threshold at the end and was
 *     never reduced (RFC 5681, section 3.1); with bbr whether it never left startup
 * @param cwndSegments the congestion window at the end, in segments
 * @param minRttNs the least round trip in ns; −1 if the kernel does not have it
 * @param retransmittedSegments segments sent again
 * @param busyUs time with data to send, in µs; −1 if the kernel does not have it and the next two
 * @param rwndLimitedUs part of it, limited by the receiver's window
 * @param sndbufLimitedUs part of it, limited by the send buffer
 * @param deliveryRateBytesPerS the greatest delivery rate that the program did not limit; −1 if there is none
 */
record ConnectionStates(
        boolean inSlowStart,
        long cwndSegments,
        long minRttNs,
        long retransmittedSegments,
        long busyUs,
        long rwndLimitedUs,
        long sndbufLimitedUs,
        long deliveryRateBytesPerS) {
    /** The congestion states from here on have reduced the window: CWR, recovery, loss (linux/tcp.h). */
    private static final long REDUCED = 2;

    /** The pacing gain of bbr in startup, 2.885 in 1/256 (net/ipv4/tcp_bbr.c). */
    private static final long BBR_STARTUP_GAIN = 739;

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
            all.put(transfer, of(states, first, end));
            first = end;
        }
        return all;
    }

    /**
     * @param first the first record of the transfer, before its first piece; earlier ones may have the connection too
     */
    private static ConnectionStates of(CaptureReader states, long first, long end) throws LagbenchException {
        long last = end - 1;
        int stateField = states.field("congestion_state");
        int rateField = states.field("delivery_rate_bytes_per_s");
        int appLimitedField = states.field("app_limited");
        boolean wasReduced = false;
        long rate = -1;
        for (long record = first; record < end; record++) {
            wasReduced |= states.value(record, stateField) >= REDUCED;
            if (states.value(record, appLimitedField) == 0) {
                rate = Math.max(rate, states.value(record, rateField));
            }
        }
        long cwnd = states.value(last, states.field("cwnd_segments"));
        long bbrGain = states.value(last, states.field("bbr_pacing_gain"));
        boolean isBelow = cwnd < states.value(last, states.field("ssthresh_segments"));
        return new ConnectionStates(
                bbrGain >= 0 ? bbrGain == BBR_STARTUP_GAIN : isBelow && !wasReduced,
                cwnd,
                states.value(last, states.field("min_rtt_ns")),
                increase(states, first, last, "retransmitted_segments"),
                increase(states, first, last, "busy_us"),
                increase(states, first, last, "rwnd_limited_us"),
                increase(states, first, last, "sndbuf_limited_us"),
                rate);
    }

    private static long increase(CaptureReader states, long first, long last, String name) throws LagbenchException {
        int field = states.field(name);
        long end = states.value(last, field);
        return end < 0 ? -1 : end - states.value(first, field);
    }
}
