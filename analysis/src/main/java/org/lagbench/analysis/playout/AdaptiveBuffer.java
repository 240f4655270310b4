package org.lagbench.analysis.playout;

import java.util.Arrays;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.media.Ratio;
import org.lagbench.core.failure.LagbenchException;

/**
 * What an adaptive playout buffer would have done: algorithm 1 of Ramjee, Kurose, Towsley and Schulzrinne, "Adaptive
 * playout mechanisms for packetized audio applications in wide-area networks" (INFOCOM 1994). With n(i) the lag of
 * packet i, as they arrive,
 *
 * <pre>
 *   d(i) = α·d(i−1) + (1 − α)·n(i)
 *   v(i) = α·v(i−1) + (1 − α)·|d(i) − n(i)|,   α = 0.998002
 * </pre>
 *
 * <p>A talkspurt is played d + 4·v after its packets were sent, by the estimates when its first packet has come, all of
 * it with that delay. Packets here know no silence; so every {@value #SPURT_PACKETS} packets are a talkspurt, which is
 * a second of the paper's audio of a packet each 20 ms. The first {@value #LEARNING_PACKETS} packets, 1/(1 − α), only
 * teach the estimates and are not judged. A packet is late if its lag is greater than the delay, if it is lost, or if
 * it comes more than {@value #REMEMBERED} talkspurts after its own.
 *
 * <p>The estimates follow an offset of the clocks as they do any other delay, and the delay is told beyond the least
 * lag: so an offset does not matter.
 *
 * @param packets packets judged
 * @param late those that were late or lost
 * @param lateShare their share of the packets judged; NaN if none was judged
 * @param meanDelayNs mean delay of the talkspurts judged, in ns beyond the least lag; NaN if none is
 * @param maximumDelayNs greatest delay of them, in ns beyond the least lag; NaN if none is
 */
public record AdaptiveBuffer(long packets, long late, double lateShare, double meanDelayNs, double maximumDelayNs) {
    /** How many packets are played with one delay. */
    public static final int SPURT_PACKETS = 50;

    /** How many packets only teach the estimates. */
    public static final int LEARNING_PACKETS = 500;

    private static final int REMEMBERED = 1024;
    private static final double ALPHA = 0.998002;
    private static final double DEVIATIONS = 4;

    static AdaptiveBuffer of(List<JoinedRun> runs, long[] leastLagsNs) throws LagbenchException {
        PlayoutSimulation receiver = new PlayoutSimulation();
        long packets = 0;
        for (int i = 0; i < leastLagsNs.length; i++) {
            packets += Math.max(0, runs.get(i).sent() - LEARNING_PACKETS);
            receiver.listen(runs.get(i), leastLagsNs[i]);
        }
        return new AdaptiveBuffer(
                packets,
                packets - receiver.inTime,
                Ratio.of(packets - receiver.inTime, packets),
                receiver.spurts == 0 ? Double.NaN : receiver.delaySumNs / receiver.spurts,
                receiver.spurts == 0 ? Double.NaN : receiver.delayMaximumNs);
    }

    /** A receiver of one run after the other. */
    private static final class PlayoutSimulation {
        private final long[] spurtNumbers = new long[REMEMBERED];
        private final double[] spurtDelaysNs = new double[REMEMBERED];
        private long inTime;
        private long spurts;
        private double delaySumNs;
        private double delayMaximumNs;

        /** Lags are taken less the least, which leaves doubles their precision. */
        void listen(JoinedRun run, long leastLagNs) throws LagbenchException {
            Arrays.fill(spurtNumbers, -1);
            double delay = Double.NaN;
            double deviation = 0;
            for (long i = 0; i < run.received(); i++) {
                if (!run.isFirstCopy(i)) {
                    continue;
                }
                long packet = run.packetOf(i);
                double lag = run.receivedNs(i) - run.sentNs(packet) - leastLagNs;
                delay = Double.isNaN(delay) ? lag : ALPHA * delay + (1 - ALPHA) * lag;
                deviation = ALPHA * deviation + (1 - ALPHA) * Math.abs(delay - lag);
                if (packet >= LEARNING_PACKETS) {
                    judge(packet, lag, delay + DEVIATIONS * deviation);
                }
            }
        }

        private void judge(long packet, double lag, double delayNow) {
            long spurt = packet / SPURT_PACKETS;
            int place = (int) (spurt % REMEMBERED);
            if (spurtNumbers[place] < spurt) {
                spurtNumbers[place] = spurt;
                spurtDelaysNs[place] = delayNow;
                spurts++;
                delaySumNs += delayNow;
                delayMaximumNs = Math.max(delayMaximumNs, delayNow);
            }
            if (spurtNumbers[place] == spurt && lag <= spurtDelaysNs[place]) {
                inTime++;
            }
        }
    }
}
