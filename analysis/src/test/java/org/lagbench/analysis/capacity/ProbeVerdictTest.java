package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.capacity.SlowStart.WindowGrowth;
import org.lagbench.core.capture.TransferFiles;

/** Compares the verdicts on transfers over a simulated link with the link's known rate and delay. */
class ProbeVerdictTest {
    private static final int SEGMENT = 1448;
    private static final double LINK_BITS_PER_S = 100e6;
    private static final double SEGMENT_MS = SEGMENT * 8 / LINK_BITS_PER_S * 1e3;
    private static final double ROUND_TRIP_MS = 50;

    /** The kernel passes packets to a device only while few of them wait there (TCP small queues). */
    private static final double SMALL_QUEUE_MS = 3;

    /** The kernel counts the time of full windows in ticks. */
    private static final int TICK_MS = 4;

    private static final int PIPE = (int) (ROUND_TRIP_MS / SEGMENT_MS);

    /** Up to 1 MB the last window is smaller than the bandwidth-delay product: 431 segments in 50 ms. */
    @ParameterizedTest
    @ValueSource(ints = {12, 46, 150, 300})
    void recognizesSlowStart(int segments) {
        ProbeVerdict verdict = ProbeVerdict.of(new Simulation(segments).run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.SLOW_START);
        assertThat(verdict.bytes()).isEqualTo((long) segments * SEGMENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {6_000, 30_000})
    void recognizesSaturatedLink(int segments) {
        Simulation simulation = new Simulation(segments);
        simulation.threshold = 3 * PIPE;
        ProbeVerdict verdict = ProbeVerdict.of(simulation.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.NETWORK);
        assertThat(verdict.bitsPerS()).isCloseTo(LINK_BITS_PER_S, within(0.03 * LINK_BITS_PER_S));
    }

    /** Over a link of 1,448 bytes per ms, a segment of the first half is missing until the second one. */
    @Test
    void countsOnlyWhatArrivedInTheTimeOfARate() {
        List<long[]> states = new ArrayList<>();
        for (int ms = 0; ms <= 400; ms++) {
            boolean isMissing = ms > 120 && ms < 260;
            long[] state = new Simulation(400).state(ms, isMissing ? 120 : ms, 400, 400, 40, ROUND_TRIP_MS, 0);
            Simulation.set(state, "congestion_state", isMissing ? 3 : 0);
            states.add(state);
        }
        ProbeVerdict verdict = ProbeVerdict.of(ProbeCurves.of(states));
        assertThat(verdict.verdict()).isNotEqualTo(TransferLimit.NETWORK);
        assertThat(verdict.bitsPerS()).isCloseTo(SEGMENT * 8e3, within(1e3));
    }

    /** While the queue grows, the transfer gets more than the other flow leaves, up to all of the link. */
    @ParameterizedTest
    @ValueSource(ints = {6_000, 30_000})
    void measuresRateLeftByCompetingFlow(int segments) {
        Simulation simulation = new Simulation(segments);
        simulation.competing = 0.4;
        simulation.threshold = 3 * PIPE;
        ProbeVerdict verdict = ProbeVerdict.of(simulation.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.NETWORK);
        assertThat(verdict.bitsPerS()).isCloseTo(0.6 * LINK_BITS_PER_S, within(0.03 * LINK_BITS_PER_S));
        assertThat(verdict.rate().low()).isLessThanOrEqualTo(0.601 * LINK_BITS_PER_S);
    }

    /** At 2 Mb/s, a quarter of a round trip has about two segments, and one acknowledgment of two segments or none. */
    @ParameterizedTest
    @ValueSource(ints = {128, 181, 1_000})
    void measuresSlowLinkByFewSegments(int segments) {
        Simulation simulation = new Simulation(segments);
        simulation.segmentMs = SEGMENT * 8 / 2e3;
        simulation.acksEvery = 2;
        simulation.threshold = 30;
        ProbeVerdict verdict = ProbeVerdict.of(simulation.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.NETWORK);
        assertThat(verdict.bitsPerS()).isCloseTo(2e6, within(0.05 * 2e6));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwnd_limited_us", "sndbuf_limited_us"})
    void recognizesFullWindow(String limit) {
        Simulation simulation = new Simulation(4_000);
        simulation.window = 100;
        simulation.limit = limit;
        ProbeVerdict verdict = ProbeVerdict.of(simulation.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.WINDOW);
        assertThat(verdict.bitsPerS()).isCloseTo(100 * SEGMENT * 8 / 0.050, within(0.05 * 100 * SEGMENT * 8 / 0.050));
    }

    /**
     * The program waits until a third of its full send buffer is free, so the link pauses for a part of the time. The
     * congestion window is never reduced.
     */
    @ParameterizedTest
    @ValueSource(ints = {150, 420, 480})
    void recognizesSendBufferThatIsFullForPartOfTheTime(int buffer) {
        Simulation simulation = new Simulation(12_000);
        simulation.buffer = buffer;
        simulation.limit = "sndbuf_limited_us";
        ProbeVerdict verdict = ProbeVerdict.of(simulation.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.WINDOW);
        assertThat(verdict.bitsPerS()).isLessThan(0.95 * LINK_BITS_PER_S);
    }

    /** The receive window of a new connection is small, and limits only the last round trip. */
    @Test
    void recognizesSlowStartWithFullWindowAtTheEnd() {
        Simulation simulation = new Simulation(70);
        simulation.window = 30;
        simulation.limit = "rwnd_limited_us";
        assertThat(ProbeVerdict.of(simulation.run()).verdict()).isEqualTo(TransferLimit.SLOW_START);
    }

    @Test
    void recognizesProgramThatSendsSlowly() {
        Simulation simulation = new Simulation(2_000);
        simulation.programMs = 0.5; // a segment each: 23 Mb/s
        ProbeVerdict verdict = ProbeVerdict.of(simulation.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.APPLICATION);
        assertThat(verdict.bitsPerS()).isCloseTo(SEGMENT * 8 / 0.5e-3, within(0.05 * SEGMENT * 8 / 0.5e-3));
    }

    /** HyStart may end slow start below the path's capacity; then the window no longer grows. */
    @Test
    void doesNotBlameNetworkForSteadyWindow() {
        Simulation simulation = new Simulation(4_000);
        simulation.threshold = PIPE / 2;
        assertThat(ProbeVerdict.of(simulation.run()).verdict()).isEqualTo(TransferLimit.UNCERTAIN);
    }

    /**
     * In startup, bbr fills the queue of a full path. Afterwards no packet waits, as if a host that sends half as fast
     * limited the transfer. If that host is even slower at first, packets wait in startup, but at another rate.
     */
    @Test
    void judgesBbrByQueueOfStartup() {
        Simulation full = new Simulation(20_000);
        full.bbrWindow = 3 * PIPE;
        ProbeVerdict verdict = ProbeVerdict.of(full.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.NETWORK);
        assertThat(verdict.bitsPerS()).isCloseTo(LINK_BITS_PER_S, within(0.03 * LINK_BITS_PER_S));

        Simulation slowHost = new Simulation(20_000);
        slowHost.segmentMs = 2 * SEGMENT_MS;
        slowHost.bbrWindow = PIPE / 2;
        assertThat(ProbeVerdict.of(slowHost.run()).verdict()).isEqualTo(TransferLimit.UNCERTAIN);
        slowHost.slowUntilMs = 400;
        assertThat(ProbeVerdict.of(slowHost.run()).verdict()).isEqualTo(TransferLimit.UNCERTAIN);
    }

    /** A fifth of the kernel's delivery rates are greater than the rate at which bytes were acknowledged. */
    @Test
    void doesNotBlameNetworkIfPathCanBeFaster() {
        Simulation simulation = new Simulation(6_000);
        simulation.deliveryBitsPerS = 1.05 * LINK_BITS_PER_S;
        assertThat(ProbeVerdict.of(simulation.run()).verdict()).isEqualTo(TransferLimit.NETWORK);
        simulation.deliveryBitsPerS = 1.2 * LINK_BITS_PER_S;
        assertThat(ProbeVerdict.of(simulation.run()).verdict()).isEqualTo(TransferLimit.UNCERTAIN);
    }

    /**
     * If the reading thread pauses, states are missing, but the counters in the next state include the bytes of the
     * gap.
     */
    @Test
    void keepsVerdictAcrossPauseOfReadings() {
        Simulation simulation = new Simulation(20_000);
        simulation.threshold = 3 * PIPE;
        simulation.pauseFromMs = 700;
        simulation.pauseToMs = 1_000;
        ProbeVerdict verdict = ProbeVerdict.of(simulation.run());
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.NETWORK);
        assertThat(verdict.bitsPerS()).isCloseTo(LINK_BITS_PER_S, within(0.03 * LINK_BITS_PER_S));
    }

    /**
     * Slow start begins with a window of 10 segments. A pause of the readings hides the middle of the second round
     * trip.
     */
    @Test
    void readsWindowOfEachRoundTrip() {
        Simulation simulation = new Simulation(300);
        simulation.pauseFromMs = 62;
        simulation.pauseToMs = 120;
        assertThat(WindowGrowth.of(simulation.run()))
                .containsExactly(
                        new WindowGrowth(10, 0),
                        new WindowGrowth(20, 10 * SEGMENT),
                        new WindowGrowth(40, 30 * SEGMENT),
                        new WindowGrowth(80, 70 * SEGMENT),
                        new WindowGrowth(160, 150 * SEGMENT));
    }

    @Test
    void boundsRoundTripsOfSlowProgram() {
        Simulation simulation = new Simulation(300);
        simulation.programMs = 20;
        assertThat(WindowGrowth.of(simulation.run())).hasSizeLessThanOrEqualTo(SlowStart.MAXIMUM_ROUNDS);
    }

    /** Over loopback many round trips are between two readings. */
    @Test
    void readsNoWindowsOfShortRoundTrips() {
        Simulation simulation = new Simulation(300);
        simulation.roundTripField = 15_000;
        assertThat(WindowGrowth.of(simulation.run())).isEmpty();
    }

    @Test
    void isUncertainWithoutTcpStates() {
        Simulation simulation = new Simulation(100);
        simulation.roundTripField = -1;
        assertThat(ProbeVerdict.of(simulation.run()).verdict()).isEqualTo(TransferLimit.UNCERTAIN);
    }

    /** Sends segments through a link with an unlimited queue, and reads the state every millisecond. */
    private static final class Simulation {
        private final int segments;
        private int window = Integer.MAX_VALUE;
        private int threshold = Integer.MAX_VALUE;
        private String limit = "";
        private double segmentMs = SEGMENT_MS;
        private double slowUntilMs; // a tenth of the rate until then
        private int acksEvery = 1;
        private double programMs;
        private double competing; // the share of the link that another flow sends to it
        private int buffer = Integer.MAX_VALUE; // send buffer, in segments
        private int bbrWindow = -1; // the window in startup, in segments
        private double deliveryBitsPerS;
        private double pauseFromMs = Double.MAX_VALUE;
        private double pauseToMs = Double.MAX_VALUE;
        private long roundTripField = (long) (ROUND_TRIP_MS * 1e6);

        private Simulation(int segments) {
            this.segments = segments;
        }

        ProbeCurve run() {
            double[] ackMs = new double[segments];
            double[] sentMs = new double[segments];
            List<long[]> states = new ArrayList<>();
            int sent = 0;
            int acked = 0;
            double cwnd = 10;
            double linkFreeMs = 0;
            double roundTripMs = ROUND_TRIP_MS;
            double limitedMs = 0;
            double readMs = 0;
            int written = 0;
            states.add(state(-0.05, 0, 0, 0, (int) cwnd, roundTripMs, 0)); // before the first piece
            for (double nowMs = 0; acked < segments; nowMs += 0.05) {
                for (; acked < sent && ackMs[acked] <= nowMs; acked++) {
                    roundTripMs = ackMs[acked] - sentMs[acked];
                    cwnd += cwnd < threshold && cwnd < 2 * (sent - acked) ? 1 : 0;
                }
                if (bbrWindow >= 0) {
                    cwnd = isInStartup(nowMs) ? Math.min(cwnd, bbrWindow) : Math.min(bbrWindow, PIPE);
                }
                linkFreeMs = Math.max(linkFreeMs, nowMs) + 0.05 * competing;
                if (written - acked <= buffer * 2L / 3) {
                    int ready = programMs > 0 ? (int) (nowMs / programMs) : segments;
                    written = (int) Math.min((long) acked + buffer, Math.min(segments, ready));
                }
                double queueMs = buffer < Integer.MAX_VALUE ? SMALL_QUEUE_MS : Double.MAX_VALUE;
                int most = Math.min((int) cwnd, window);
                for (; sent < written && sent - acked < most && linkFreeMs - nowMs < queueMs; sent++) {
                    linkFreeMs = Math.max(linkFreeMs, nowMs) + (nowMs < slowUntilMs ? 10 : 1) * segmentMs;
                    ackMs[sent] = linkFreeMs + ROUND_TRIP_MS;
                    sentMs[sent] = nowMs;
                }
                boolean isFull = sent - acked >= window || (programMs == 0 && sent == written);
                limitedMs += isFull && sent < segments ? 0.05 : 0;
                if (nowMs >= readMs && (nowMs < pauseFromMs || nowMs >= pauseToMs)) {
                    int reported = acked - acked % acksEvery;
                    states.add(state(nowMs, reported, sent, written, (int) cwnd, roundTripMs, limitedMs));
                    readMs = nowMs + 1;
                }
            }
            states.add(state(ackMs[segments - 1], acked, sent, segments, (int) cwnd, roundTripMs, limitedMs));
            return ProbeCurves.of(states);
        }

        /** The window grows in 6 round trips. A full path has a round trip of up to 3 times the minimum thereafter. */
        private static boolean isInStartup(double ms) {
            return ms < 15 * ROUND_TRIP_MS;
        }

        private long[] state(
                double ms, int acked, int sent, int written, int cwnd, double roundTripMs, double limitedMs) {
            long[] values = new long[TransferFiles.TCP_FIELDS.size()];
            set(values, "at_ns", (long) (ms * 1e6));
            set(values, "acked_bytes", (long) acked * SEGMENT);
            set(values, "sent_bytes", (long) sent * SEGMENT);
            set(values, "cwnd_segments", cwnd);
            set(values, "ssthresh_segments", threshold);
            set(values, "mss_bytes", SEGMENT);
            set(values, "rtt_ns", (long) (roundTripMs * 1e6));
            set(values, "min_rtt_ns", roundTripField);
            set(values, "unacked_segments", sent - acked);
            set(values, "not_sent_bytes", (long) (written - sent) * SEGMENT);
            set(values, "delivery_rate_bytes_per_s", (long) ms % 5 == 0 ? (long) (deliveryBitsPerS / 8) : 0);
            set(values, "bbr_pacing_gain", bbrWindow < 0 ? -1 : isInStartup(ms) ? 739 : 256);
            if (!limit.isEmpty()) {
                set(values, limit, (long) limitedMs / TICK_MS * TICK_MS * 1_000);
            }
            return values;
        }

        private static void set(long[] values, String field, long value) {
            values[TransferFiles.TCP_FIELDS.indexOf(field)] = value;
        }
    }
}
