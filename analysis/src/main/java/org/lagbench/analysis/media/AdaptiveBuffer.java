package org.lagbench.analysis.media;

import java.util.Arrays;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.join.PacketLags;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * A simulation of an adaptive playout buffer: algorithm 1 of Ramjee, Kurose, Towsley and Schulzrinne, "Adaptive playout
 * mechanisms for packetized audio applications in wide-area networks" (INFOCOM 1994). With the lag n(i) of packet i, in
 * the order of arrival,
 *
 * <pre>
 *   d(i) = α·d(i−1) + (1 − α)·n(i)
 *   v(i) = α·v(i−1) + (1 − α)·|d(i) − n(i)|,   α = 0.998002
 * </pre>
 *
 * <p>A talkspurt is played d + 4·v after its packets were sent, by the estimates at the arrival of its first packet.
 * Since these packets have no silence between them, {@value #SPURT_PACKETS} packets make a talkspurt: a second of the
 * paper's audio. The first {@value #LEARNING_PACKETS} packets, 1/(1 − α), only train the estimates. A packet is late if
 * its lag exceeds the delay, if it is lost, or if it arrives more than {@value #REMEMBERED} talkspurts after its own.
 *
 * <p>The estimates include the clock offset as they include any constant delay, and the delay is reported relative to
 * the smallest lag. So an offset does not matter.
 *
 * @param packets packets judged
 * @param late packets that were late or lost
 * @param lateShare their share of the packets judged; NaN if none was judged
 * @param meanDelayNs mean delay of the talkspurts judged, in ns above the smallest lag; NaN if there is none
 * @param maximumDelayNs largest delay of them, in ns above the smallest lag; NaN if there is none
 */
public record AdaptiveBuffer(long packets, long late, double lateShare, double meanDelayNs, double maximumDelayNs) {
    private static final String TITLE = "Adaptive playout";

    /** The metrics of the buffer. */
    static final List<Metric<AdaptiveBuffer>> METRICS = List.of(
            Metric.packets("playout.adaptive.packets", TITLE, "Packets", AdaptiveBuffer::packets)
                    .higherIsBetter(),
            Metric.packets("playout.adaptive.late", TITLE, "Late", AdaptiveBuffer::late),
            Metric.quotient(
                    "playout.adaptive.lateShare",
                    TITLE,
                    "Late share",
                    AdaptiveBuffer::lateShare,
                    AdaptiveBuffer::packets),
            Metric.time(
                    "playout.adaptive.meanDelay", TITLE, "Mean delay", Combination.MEDIAN, AdaptiveBuffer::meanDelayNs),
            Metric.time(
                    "playout.adaptive.maximumDelay",
                    TITLE,
                    "Max delay",
                    Combination.MAX,
                    AdaptiveBuffer::maximumDelayNs));

    /** The number of packets in a talkspurt, which are played with one delay. */
    public static final int SPURT_PACKETS = 50;

    /** The number of packets that only train the estimates. */
    public static final int LEARNING_PACKETS = 500;

    private static final int REMEMBERED = 1024;
    private static final double ALPHA = 0.998002;
    private static final double DEVIATIONS = 4;

    static AdaptiveBuffer of(List<JoinedRun> runs, long[] minLagsNs) throws LagbenchException {
        PlayoutSimulation simulation = new PlayoutSimulation();
        long packets = 0;
        for (int i = 0; i < minLagsNs.length; i++) {
            packets += Math.max(0, runs.get(i).sent() - LEARNING_PACKETS);
            simulation.play(runs.get(i), minLagsNs[i]);
        }
        return new AdaptiveBuffer(
                packets,
                packets - simulation.inTime,
                (double) (packets - simulation.inTime) / packets,
                simulation.spurts == 0 ? Double.NaN : simulation.delaySumNs / simulation.spurts,
                simulation.spurts == 0 ? Double.NaN : simulation.delayMaximumNs);
    }

    private static final class PlayoutSimulation {
        private final long[] spurtNumbers = new long[REMEMBERED];
        private final double[] spurtDelaysNs = new double[REMEMBERED];
        private double delay;
        private double deviation;
        private long inTime;
        private long spurts;
        private double delaySumNs;
        private double delayMaximumNs;

        /** Plays a run. Lags are relative to the smallest, so that doubles keep their precision. */
        void play(JoinedRun run, long leastLagNs) throws LagbenchException {
            Arrays.fill(spurtNumbers, -1);
            delay = Double.NaN;
            deviation = 0;
            PacketLags.forEach(run, (packet, lagNs) -> {
                double lag = lagNs - leastLagNs;
                delay = Double.isNaN(delay) ? lag : ALPHA * delay + (1 - ALPHA) * lag;
                deviation = ALPHA * deviation + (1 - ALPHA) * Math.abs(delay - lag);
                if (packet >= LEARNING_PACKETS) {
                    judge(packet, lag, delay + DEVIATIONS * deviation);
                }
            });
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
