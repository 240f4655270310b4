package org.lagbench.analysis.summary;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.ReceivedInterval;
import org.lagbench.core.timeseries.StampedTime;

/**
 * A run in progress: joins the intervals of its receiver with the sender's capture, which grows meanwhile. Not
 * thread-safe.
 */
public final class LiveRun implements AutoCloseable {
    private final CaptureReader sender;
    private final int sentNs;
    private final int packetBytes;
    private @Nullable StampedTime time;
    private long sent;
    private long endedNs;

    private LiveRun(CaptureReader sender, int packetBytes) throws LagbenchException {
        this.sender = sender;
        this.sentNs = sender.field("sent_ns");
        this.packetBytes = packetBytes;
    }

    /**
     * Opens the sender's capture in a run's directory.
     *
     * @param packetBytes the size of a packet in bytes
     */
    public static LiveRun open(Path runDirectory, int packetBytes) throws LagbenchException {
        return new LiveRun(CaptureReader.open(runDirectory.resolve(SenderCapture.FILE_NAME)), packetBytes);
    }

    /**
     * Returns the metrics since the previous call, or since the first packet.
     *
     * @param received the receiver's next interval
     */
    public LiveInterval add(ReceivedInterval received) throws LagbenchException {
        long sentBefore = sent;
        long beganNs = endedNs;
        sent = sender.update();
        endedNs = Math.max(beganNs, received.last() ? spanNs() : elapsedNs());
        long[] lags = lags(received.stamps());
        double[] quantiles = Quantile.ofSorted(lags, Quantile.PERCENT, 50, 99);
        return new LiveInterval(
                packetBytes,
                beganNs / Units.NS_PER_S,
                endedNs / Units.NS_PER_S,
                sent - sentBefore,
                perS(sent - sentBefore, endedNs - beganNs),
                sent,
                received,
                perS(received.received(), received.durationNs()),
                received.stamps().size() / 2 < received.firstCopies(),
                lags.length,
                quantiles[0],
                quantiles[1]);
    }

    /** Returns the time from the first to the last sent stamp. */
    private long spanNs() throws LagbenchException {
        return sent == 0 ? 0 : sender.value(sent - 1, sentNs) - sender.value(0, sentNs);
    }

    private long elapsedNs() throws LagbenchException {
        StampedTime since = time;
        if (since == null) {
            if (sent == 0) {
                return 0;
            }
            since = new StampedTime(sender.value(0, sentNs));
            time = since;
        }
        return since.elapsedNs();
    }

    /**
     * Returns the lags of the given packets, sorted, without those of packets that the sender has not recorded yet.
     *
     * @param stamps as {@link ReceivedInterval#stamps}
     */
    private long[] lags(List<Long> stamps) throws LagbenchException {
        long[] lags = new long[stamps.size() / 2];
        int count = 0;
        long sequence = 0;
        long receivedNs = 0;
        for (int i = 0; i < stamps.size(); i += 2) {
            sequence += stamps.get(i);
            receivedNs += stamps.get(i + 1);
            if (sequence >= 0 && sequence < sent) {
                lags[count++] = receivedNs - sender.value(sequence, sentNs);
            }
        }
        long[] known = Arrays.copyOf(lags, count);
        Arrays.sort(known);
        return known;
    }

    private static double perS(long packets, long durationNs) {
        return durationNs > 0 ? packets * Units.NS_PER_S / durationNs : Double.NaN;
    }

    @Override
    public void close() throws LagbenchException {
        sender.close();
    }

    /**
     * The metrics of both sides for one interval of a run, about a second. Rates are per second of each side's own
     * interval; NaN if that has no length. Lags are as stamped: their error is at most the run's clock bound.
     *
     * @param packetBytes the size of a packet in bytes
     * @param beganS seconds from the first recorded packet to the beginning
     * @param endedS seconds from the first recorded packet to the end
     * @param sent packets sent
     * @param sentPerS their rate
     * @param allSent packets sent from the first one to the end of the interval
     * @param received the receiver's counts
     * @param receivedPerS the rate of the received packets, copies included
     * @param sampled whether the lags are those of a sample, because there were many packets
     * @param lags the number of lags that median and quantile are of
     * @param medianNs median lag; NaN if there is no lag
     * @param q99Ns 99 % quantile of the lag; NaN if there is no lag
     */
    public record LiveInterval(
            int packetBytes,
            double beganS,
            double endedS,
            long sent,
            double sentPerS,
            long allSent,
            ReceivedInterval received,
            double receivedPerS,
            boolean sampled,
            long lags,
            double medianNs,
            double q99Ns) {
        /** The metrics of runs that an interval has too. */
        public static final List<Metric<LiveInterval>> METRICS = List.of(
                MetricRegistry.of("lag.median").of(LiveInterval::medianNs),
                MetricRegistry.of("lag.q99").of(LiveInterval::q99Ns),
                MetricRegistry.of("lag.count").of(LiveInterval::lags),
                MetricRegistry.of("loss").of(LiveInterval::loss),
                MetricRegistry.of("packets.sent").of(LiveInterval::sent),
                MetricRegistry.of("packets.received").of(interval -> interval.received.received()),
                MetricRegistry.of("packets.lost").of(interval -> interval.received.lost()),
                MetricRegistry.of("rates.sent.packetsPerS").of(LiveInterval::sentPerS),
                MetricRegistry.of("rates.received.packetsPerS").of(LiveInterval::receivedPerS),
                MetricRegistry.of("sendRate").of(interval -> interval.mbitPerS(interval.sentPerS)),
                MetricRegistry.of("receiveRate").of(interval -> interval.mbitPerS(interval.receivedPerS)));

        /** Returns the share of the expected packets that were lost, from 0 to 1; NaN if none was expected. */
        public double loss() {
            return (double) received.lost() / received.expected();
        }

        /** Returns whether all packets of a run have been sent, and none was received in the interval. */
        public boolean isFinishing(long packets) {
            return allSent >= packets && received.received() == 0;
        }

        /** Returns a rate of packets in Mbit/s, without the headers of the transport and below. */
        public double mbitPerS(double packetsPerS) {
            return packetsPerS * packetBytes * Byte.SIZE / Units.BITS_PER_MBIT;
        }
    }
}
