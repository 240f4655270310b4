package org.lagbench.analysis.capacity;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;

/**
 * Packets scheduled at a constant rate over a path. If the rate exceeds the available bandwidth, a queue grows, and the
 * lag with it, until the queue is full and packets are lost (Jain and Dovrolis, SIGCOMM 2002). Lags are measured from
 * the scheduled times, so a sender that waits for its own link has the same effect as a queue. Clock offsets have none.
 *
 * @param scheduledNs the scheduled time of each packet, by the sender's clock
 * @param sentNs when each packet was sent, by the sender's clock
 * @param receivedNs when each packet was received, by the receiver's clock; 0 if it was lost
 * @param ipBytes size of each IP packet
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record PacketTrain(long[] scheduledNs, long[] sentNs, long[] receivedNs, int ipBytes) {
    /** The headers of IPv4 and UDP, and of IPv6 and UDP. */
    public static final int HEADER_BYTES = 28;

    private static final int IPV6_HEADER_BYTES = 48;

    /** The number of groups of packets whose median lags are compared. */
    private static final int GROUPS = 20;

    /** The minimum share of groups whose median lag exceeds the previous group's median (Jain and Dovrolis). */
    private static final double INCREASING_SHARE = 0.55;

    /**
     * The minimum growth of the lag, in ns per ns. It means that the rate exceeds the available bandwidth by this part
     * of the link's rate.
     */
    private static final double GROWTH_MIN = 0.005;

    /** The maximum sum of all decreases of the lag, as a part of the train's duration. */
    private static final double DECREASE_MAX = 0.1;

    /** The maximum part of a train that a path loses before it counts as full. */
    private static final double LOST_SHARE_MAX = 0.05;

    /** The largest correlation of neighboring parts that is not a trend. */
    private static final double MAX_CORRELATION = 0.9;

    /**
     * Returns the bytes of the IP and UDP headers of each packet, which depend on the family of the sender's address.
     */
    public static int ipHeaderBytes(RunRecord run) {
        ConnectionFacts connection = run.sender().metadata(ConnectionFacts.class);
        return connection != null && connection.isIpv6() ? IPV6_HEADER_BYTES : HEADER_BYTES;
    }

    /**
     * Reads the captures of a run.
     *
     * @param headerBytes bytes of the IP and UDP headers of each packet
     */
    public static PacketTrain read(Path run, int packetBytes, int headerBytes) throws LagbenchException {
        try (JoinedRun joined = JoinedRun.open(run)) {
            int packets = Math.toIntExact(joined.sent());
            long[] scheduledNs = new long[packets];
            long[] sentNs = new long[packets];
            long[] receivedNs = new long[packets];
            for (int packet = 0; packet < packets; packet++) {
                scheduledNs[packet] = joined.scheduledNs(packet);
                sentNs[packet] = joined.sentNs(packet);
            }
            joined.forEachFirstCopy(
                    (arrival, packet) -> receivedNs[Math.toIntExact(packet)] = joined.receivedNs(arrival));
            return new PacketTrain(scheduledNs, sentNs, receivedNs, packetBytes + headerBytes);
        }
    }

    /** Returns the rate at which packets arrived, in bits of IP packets per second; 0 if fewer than two did. */
    public double receivedBitsPerS() {
        long[] arrived = arrivals();
        return arrived.length < 2 ? 0 : bitsPerS(arrived);
    }

    /**
     * Returns the rate at which packets arrived. The interval is the confidence interval of the median of the rates of
     * {@value #GROUPS} parts of the train, widened by √((1 + ρ)/(1 − ρ)) if rates of neighboring parts have a
     * correlation ρ above 0.
     */
    public Interval receivedInterval() {
        long[] arrived = arrivals();
        double mean = receivedBitsPerS();
        if (arrived.length < 2 * GROUPS) {
            return new Interval(mean, 0, Double.POSITIVE_INFINITY);
        }
        double[] rates = new double[GROUPS];
        for (int group = 0; group < GROUPS; group++) {
            int from = group * (arrived.length - 1) / GROUPS;
            int to = (group + 1) * (arrived.length - 1) / GROUPS;
            rates[group] = bitsPerS(Arrays.copyOfRange(arrived, from, to + 1));
        }
        double correlation = Math.max(0, neighborCorrelation(rates));
        double wider = Math.sqrt((1 + correlation) / (1 - correlation));
        Interval median = Interval.ofMedian(rates);
        return new Interval(
                mean,
                mean - wider * Math.max(0, mean - median.low()),
                mean + wider * Math.max(0, median.high() - mean));
    }

    private static double neighborCorrelation(double[] rates) {
        double center = Arrays.stream(rates).average().orElseThrow();
        double variance = 0;
        double covariance = 0;
        for (int i = 0; i < rates.length; i++) {
            variance += (rates[i] - center) * (rates[i] - center);
            covariance += i == 0 ? 0 : (rates[i] - center) * (rates[i - 1] - center);
        }
        double biased = variance == 0 ? 0 : covariance / variance; // the bias is −(1 + 3ρ)/n (Kendall 1954)
        double correlation = (rates.length * biased + 1) / (rates.length - 3);
        boolean isKnown = correlation < MAX_CORRELATION; // unknown if a part arrived at once, at an infinite rate
        return isKnown ? correlation : MAX_CORRELATION;
    }

    /** Returns the maximum median lag of a part of the train minus the minimum lag of a packet, in ns. */
    public double delayRangeNs() {
        double minNs = minLagNs();
        return Arrays.stream(lagsNs(sentNs)).max().orElse(minNs) - minNs;
    }

    /** Returns the minimum lag of a packet since it was sent, in ns; 0 if none arrived. */
    public double minLagNs() {
        return Arrays.stream(arrived()).mapToDouble(this::lagNs).min().orElse(0);
    }

    /** Returns the lag of a packet since it was sent, in ns; NaN if it was lost. */
    public double lagNs(int packet) {
        return isLost(packet) ? Double.NaN : (double) (receivedNs[packet] - sentNs[packet]);
    }

    public boolean isLost(int packet) {
        return receivedNs[packet] == 0;
    }

    /** Returns the number of packets sent. */
    public int packets() {
        return sentNs.length;
    }

    /** Returns when the last packet was sent, by the sender's clock. */
    public long lastSentNs() {
        return sentNs[sentNs.length - 1];
    }

    /** Returns the index of the first packet sent at this time or later. */
    public int firstFrom(long ns) {
        int found = Arrays.binarySearch(sentNs, ns);
        return found < 0 ? -found - 1 : found;
    }

    /** Returns the part of the packets that were lost. */
    public double lostShare() {
        return (double) LongStream.of(receivedNs).filter(ns -> ns == 0).count() / receivedNs.length;
    }

    /** Returns the total size of the IP packets. */
    public long bytes() {
        return (long) ipBytes * sentNs.length;
    }

    /** Returns whether the scheduled rate was too high for the path or for the sender. */
    public boolean isTooFast() {
        return lostShare() > LOST_SHARE_MAX || isGrowing(scheduledNs);
    }

    /** Returns whether the rate was too high for the network: packets were lost, or the lag since sending grew. */
    public boolean isTooFastForNetwork() {
        return lostShare() > LOST_SHARE_MAX || isGrowing(sentNs);
    }

    /**
     * Returns whether a host or a link paused: the lag decreases much only after a pause. A disturbed train does not
     * show whether the rate is too high.
     */
    public boolean isDisturbed() {
        double[] lagsNs = lagsNs(scheduledNs);
        double decreases = 0;
        for (int group = 1; group < lagsNs.length; group++) {
            decreases += Math.max(0, lagsNs[group - 1] - lagsNs[group]);
        }
        return decreases > DECREASE_MAX * (double) (scheduledNs[scheduledNs.length - 1] - scheduledNs[0]);
    }

    private boolean isGrowing(long[] beginningNs) {
        double[] lagsNs = lagsNs(beginningNs);
        if (lagsNs.length == 0) {
            return false;
        }
        double[] atNs = atNs(arrived());
        double[] steps = new double[GROUPS - 1];
        for (int step = 0; step < steps.length; step++) {
            steps[step] = (lagsNs[step + 1] - lagsNs[step]) / (atNs[step + 1] - atNs[step]);
        }
        long increases = Arrays.stream(steps).filter(step -> step > 0).count();
        return increases > INCREASING_SHARE * steps.length
                && Quantile.median(steps) > GROWTH_MIN
                && growth(atNs, lagsNs) > GROWTH_MIN;
    }

    /** Returns the scheduled times of the middle packets of the parts, in ns since the beginning of the train. */
    private double[] atNs(int[] arrived) {
        double[] atNs = new double[GROUPS];
        for (int group = 0; group < GROUPS; group++) {
            int middle = arrived[(2 * group + 1) * arrived.length / (2 * GROUPS)];
            atNs[group] = (double) (scheduledNs[middle] - scheduledNs[0]);
        }
        return atNs;
    }

    /** Returns the numbers of the packets that arrived, in the order of sending. */
    private int[] arrived() {
        return IntStream.range(0, receivedNs.length)
                .filter(packet -> receivedNs[packet] != 0)
                .toArray();
    }

    /** Returns the median lag of each part of the packets that arrived; nothing if these are too few. */
    private double[] lagsNs(long[] beginningNs) {
        int[] arrived = arrived();
        double[] lagsNs = new double[arrived.length < 2 * GROUPS ? 0 : GROUPS];
        for (int group = 0; group < lagsNs.length; group++) {
            int from = group * arrived.length / GROUPS;
            int to = (group + 1) * arrived.length / GROUPS;
            lagsNs[group] = Quantile.median(Arrays.stream(arrived, from, to)
                    .mapToDouble(packet -> (double) (receivedNs[packet] - beginningNs[packet]))
                    .toArray());
        }
        return lagsNs;
    }

    /** Returns the median slope of the lines through all pairs of points (Theil and Sen). */
    private static double growth(double[] atNs, double[] lagsNs) {
        double[] slopes = new double[GROUPS * (GROUPS - 1) / 2];
        int count = 0;
        for (int later = 1; later < GROUPS; later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                slopes[count++] = (lagsNs[later] - lagsNs[earlier]) / (atNs[later] - atNs[earlier]);
            }
        }
        return Quantile.median(slopes);
    }

    private long[] arrivals() {
        return Arrays.stream(receivedNs).filter(ns -> ns != 0).sorted().toArray();
    }

    private double bitsPerS(long[] ns) {
        return (ns.length - 1) * ipBytes * Units.BITS_PER_BYTE * Units.NS_PER_S / (double) (ns[ns.length - 1] - ns[0]);
    }
}
