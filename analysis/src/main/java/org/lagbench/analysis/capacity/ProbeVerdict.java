package org.lagbench.analysis.capacity;

import java.util.Arrays;
import org.lagbench.analysis.statistics.Interval;

/**
 * What limited one TCP transfer, and the rate that it reached. The rate is that of the path only if the verdict is
 * {@link TransferLimit#NETWORK}.
 *
 * @param rate of the acknowledged payload, in bits per second; NaN if unknown. With the verdict network, it is the mean
 *     of the part with a steady rate, with its interval; otherwise that of the second half of the transfer, without. If
 *     segments were missing then, it is that since the last time before at which none was
 * @param bytes acknowledged bytes
 * @param minRttNs the minimum round trip in ns; −1 if the kernel does not support it
 * @param initialWindow the congestion window before the first byte, in segments
 * @param segmentBytes payload of a full segment
 */
public record ProbeVerdict(
        TransferLimit verdict, Interval rate, long bytes, long minRttNs, int initialWindow, int segmentBytes) {
    /** The congestion state in which no segment is known to be missing (linux/tcp.h). */
    private static final long OPEN = 0;

    /**
     * The first congestion state in which the kernel has reduced the window: CWR, then recovery and loss (linux/tcp.h).
     */
    private static final long REDUCED = 2;

    /** The pacing gain of bbr in startup, 2.885 in 1/256 (net/ipv4/tcp_bbr.c). */
    private static final long BBR_STARTUP_GAIN = 739;

    /** The program is the limit if it limited the transfer for more than this part of the time. */
    private static final double LIMITING_SHARE = 0.5;

    /**
     * A window is the limit if it was full for more than this part of the time, in which no packets waited in the path.
     * The part is small, because the kernel lets a program write again only when a third of a full send buffer is free
     * (sk_stream_is_writeable in net/sock.h).
     */
    private static final double FULL_WINDOW_SHARE = 0.1;

    /** Slow start has ended if the congestion window has not grown in this number of round trips. */
    private static final double STEADY_ROUND_TRIPS = 2;

    /** Packets wait in a queue if the round trip exceeds the minimum round trip by more than this time. */
    private static final double QUEUE_NS = 0.5e6;

    /**
     * The queue is long if the round trip exceeds the minimum round trip by more than this part of the minimum, and by
     * more than twice {@link #QUEUE_NS}. The network is then the limit even if a window is full.
     */
    private static final double LONG_QUEUE_SHARE = 0.1;

    /**
     * On a full path, bbr leaves startup after three round trips in which its delivery rate did not grow
     * (net/ipv4/tcp_bbr.c). Packets wait in most of them.
     */
    private static final double FULL_STARTUP_ROUND_TRIPS = 2;

    /** The largest relative difference between the rate in startup while packets waited, and the mean rate. */
    private static final double STARTUP_RATE_SHARE = 0.25;

    /**
     * The path can carry more than the mean rate if the highest tenth of the kernel's delivery rates exceeds that rate
     * by more than this part. The kernel measures a delivery rate over about a round trip.
     */
    private static final double FASTER_SHARE = 0.1;

    /** A larger transfer is needed if the rate's interval is wider than this part of the rate. */
    private static final double VAGUE_SHARE = 0.25;

    /** Returns whether the transfer filled the path, so that its rate is the path's. */
    public boolean fillsPath() {
        return verdict == TransferLimit.NETWORK;
    }

    /** Returns the verdict on a transfer. The first state of its connection was read before its first byte was sent. */
    public static ProbeVerdict of(ProbeCurve curve) {
        int last = curve.last();
        long bytes = curve.ackedBytes(last);
        long minRttNs = curve.value(last, "min_rtt_ns");
        if (bytes <= 0 || minRttNs <= 0) {
            return of(TransferLimit.UNCERTAIN, Double.NaN, curve);
        }
        int end = curve.whenAcked(bytes);
        int allSent = curve.whenSent(bytes);
        Plateau plateau = Plateau.of(curve, end, (double) minRttNs, QUEUE_NS);
        double waitNs = plateau == null ? 0 : medianRttNs(curve, plateau) - (double) minRttNs;
        int half = curve.at((double) curve.ns(end) / 2);
        double ofSecondHalf = curve.ackedBitsPerS(withoutGap(curve, half), end);
        boolean isInSlowStart = isInSlowStart(curve) && hasGrown(curve, allSent);
        TransferLimit verdict;
        if (isApplicationLimited(curve, allSent)) {
            verdict = TransferLimit.APPLICATION;
        } else if (waitNs > longQueueNs((double) minRttNs)) {
            verdict = TransferLimit.NETWORK;
        } else if (!isInSlowStart && isWindowLimited(curve, allSent)) {
            verdict = TransferLimit.WINDOW;
        } else if (waitNs > QUEUE_NS) {
            verdict = TransferLimit.NETWORK;
        } else if (isInSlowStart) {
            verdict = TransferLimit.SLOW_START;
        } else {
            verdict =
                    plateau != null && hasFilledPipe(curve, plateau) ? TransferLimit.NETWORK : TransferLimit.UNCERTAIN;
        }
        if (verdict == TransferLimit.NETWORK
                && plateau != null
                && (canBeFaster(curve, plateau) || isVague(plateau.kept()))) {
            verdict = TransferLimit.UNCERTAIN;
        }
        return verdict != TransferLimit.NETWORK || plateau == null
                ? of(verdict, ofSecondHalf, curve)
                : of(verdict, plateau.kept(), curve);
    }

    /**
     * Returns the last state up to a state in which no segment was missing; the first state if there is none. What
     * arrives after a missing segment is acknowledged together with it, which no rate of the path is.
     */
    private static int withoutGap(ProbeCurve curve, int until) {
        int state = until;
        while (state > 0 && curve.value(state, "congestion_state") != OPEN) {
            state--;
        }
        return state;
    }

    private static ProbeVerdict of(TransferLimit verdict, double bitsPerS, ProbeCurve curve) {
        return of(verdict, new Interval(bitsPerS, Double.NaN, Double.NaN), curve);
    }

    private static ProbeVerdict of(TransferLimit verdict, Interval rate, ProbeCurve curve) {
        return new ProbeVerdict(
                verdict,
                rate,
                Math.max(curve.ackedBytes(curve.last()), 0),
                curve.value(curve.last(), "min_rtt_ns"),
                (int) curve.value(0, "cwnd_segments"),
                (int) curve.value(curve.last(), "mss_bytes"));
    }

    /** Returns the rate of the acknowledged payload in bits per second; NaN if unknown. */
    public double bitsPerS() {
        return rate.value();
    }

    /**
     * Returns whether the connection never left slow start: the congestion window is below the threshold at the end and
     * was never reduced (RFC 5681, section 3.1); with bbr whether it never left startup.
     */
    public static boolean isInSlowStart(ProbeCurve curve) {
        int last = curve.last();
        if (curve.value(last, "bbr_pacing_gain") >= 0) {
            return curve.value(last, "bbr_pacing_gain") == BBR_STARTUP_GAIN;
        }
        return curve.value(last, "cwnd_segments") < curve.value(last, "ssthresh_segments")
                && Arrays.stream(curve.values("congestion_state")).noneMatch(state -> state >= REDUCED);
    }

    /** Returns whether the congestion window has grown in the last round trips before everything was sent. */
    private static boolean hasGrown(ProbeCurve curve, int allSent) {
        double beginNs = (double) curve.ns(allSent) - STEADY_ROUND_TRIPS * (double) curve.value(allSent, "min_rtt_ns");
        return beginNs < 0 || curve.value(allSent, "cwnd_segments") > curve.value(curve.at(beginNs), "cwnd_segments");
    }

    /**
     * Returns whether bbr left startup because the path was full, although it keeps the queue empty afterwards. bbr
     * also leaves startup if a host is too slow, but then no packets wait, or they wait at another rate. If the minimum
     * round trip is shorter than {@link #QUEUE_NS}, the hosts delay packets for as long as the queue in startup.
     */
    private static boolean hasFilledPipe(ProbeCurve curve, Plateau plateau) {
        long gain = curve.value(curve.last(), "bbr_pacing_gain");
        double minRttNs = (double) curve.value(curve.last(), "min_rtt_ns");
        if (gain < 0 || gain == BBR_STARTUP_GAIN || minRttNs < QUEUE_NS) {
            return false;
        }
        double waitingNs = 0;
        double ackedBits = 0;
        for (int state = 1; state <= plateau.to(); state++) {
            boolean isWaiting = (double) curve.value(state, "rtt_ns") - minRttNs > longQueueNs(minRttNs);
            if (isWaiting && curve.value(state, "bbr_pacing_gain") == BBR_STARTUP_GAIN) {
                waitingNs += (double) (curve.ns(state) - curve.ns(state - 1));
                ackedBits += 8 * (double) curve.increase("acked_bytes", state - 1, state);
            }
        }
        return waitingNs >= FULL_STARTUP_ROUND_TRIPS * minRttNs
                && Math.abs(1e9 * ackedBits / waitingNs / plateau.meanBitsPerS() - 1) <= STARTUP_RATE_SHARE;
    }

    private static double longQueueNs(double minRttNs) {
        return Math.max(LONG_QUEUE_SHARE * minRttNs, 2 * QUEUE_NS);
    }

    private static boolean canBeFaster(ProbeCurve curve, Plateau plateau) {
        long[] rates = sorted(curve, "delivery_rate_bytes_per_s", plateau);
        return 8 * (double) rates[rates.length * 9 / 10] > (1 + FASTER_SHARE) * plateau.meanBitsPerS();
    }

    private static boolean isVague(Interval kept) {
        return kept.high() - kept.low() > VAGUE_SHARE * kept.value();
    }

    private static double medianRttNs(ProbeCurve curve, Plateau plateau) {
        long[] roundTrips = sorted(curve, "rtt_ns", plateau);
        return (double) roundTrips[roundTrips.length / 2];
    }

    private static long[] sorted(ProbeCurve curve, String field, Plateau plateau) {
        long[] values = Arrays.copyOfRange(curve.values(field), plateau.from(), plateau.to() + 1);
        Arrays.sort(values);
        return values;
    }

    /**
     * Returns whether the receive window or the send buffer was the limit. Only the second half of the time until
     * everything was sent is examined.
     */
    private static boolean isWindowLimited(ProbeCurve curve, int allSent) {
        int half = curve.at((double) curve.ns(allSent) / 2);
        return fullWindowNs(curve, half, allSent) > FULL_WINDOW_SHARE * (double) (curve.ns(allSent) - curve.ns(half));
    }

    private static double fullWindowNs(ProbeCurve curve, int from, int to) {
        long us = curve.increase("rwnd_limited_us", from, to) + curve.increase("sndbuf_limited_us", from, to);
        return Math.max(0, (double) us * 1e3);
    }

    /**
     * Returns whether the connection had no data to send, and room in its window, for most of the time. Only the second
     * half of the time until everything was sent is examined. The time in which the send buffer or the receive window
     * was full does not count, because then the program had to wait.
     */
    private static boolean isApplicationLimited(ProbeCurve curve, int allSent) {
        int half = curve.at((double) curve.ns(allSent) / 2);
        double idleNs = -fullWindowNs(curve, Math.max(half, 1) - 1, allSent);
        for (int state = Math.max(half, 1); state < allSent; state++) {
            boolean isIdle = curve.value(state, "not_sent_bytes") == 0
                    && curve.value(state, "unacked_segments") < curve.value(state, "cwnd_segments");
            idleNs += isIdle ? (double) (curve.ns(state) - curve.ns(state - 1)) : 0;
        }
        return idleNs > LIMITING_SHARE * (double) (curve.ns(allSent) - curve.ns(half));
    }
}
