package org.lagbench.analysis.metric;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.summary.HostMetrics;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;
import org.lagbench.core.run.Traffic;

/** The metrics that this room computes, and what they mean for each kind of traffic. */
public final class AnalysisMetrics implements Metric.Source {
    private static final String NONE = "-";
    private static final String FORWARD = "as one-way, for the packets to the receiver";
    private static final String PIECES = "as one-way, for the pieces of all transfers";
    private static final String SAME = "as one-way";

    /** In the order of tables, the first of which are shown. */
    private static final List<MetricMeaning> MEANINGS = List.of(
            of("roundTrip", NONE, "answered − sent of each packet with a reply, late ones included", NONE),
            of("lag", "received − sent of each packet that arrived", FORWARD, PIECES),
            of("receiveDelay", "time between consecutive arrivals at the receiver", FORWARD, PIECES),
            of("sendDelay", "time between consecutive packets at the sender", FORWARD, PIECES),
            of("lateness", "sent − scheduled, with a pace", FORWARD, NONE),
            of("lagFromSchedule", "received − scheduled of each packet that arrived, with a pace", FORWARD, NONE),
            of("loss", "packets that did not arrive", "packets without a reply in time", "pieces that did not arrive"),
            of("loss.forward", NONE, "packets that did not arrive at the receiver", NONE),
            of("loss.back", NONE, "of the packets that arrived, those whose reply did not", NONE),
            of("playout", "delay at which 1 % of the packets are late or lost", FORWARD, NONE),
            of(
                    "scheduleKept",
                    "scheduled time of all packets by the time that sending them took, with a pace",
                    FORWARD,
                    NONE),
            of(
                    "receiveRate",
                    "bytes of packets from the first arrival to the last",
                    "as one-way, for the packets to the receiver; with one in flight, what the round trip allows",
                    "as one-way, for the pieces, with the pauses between transfers"),
            of("sendRate", "bytes of packets from the first that was sent to the last", FORWARD, PIECES),
            of("rate", NONE, NONE, "in a matrix, what TCP carries from site to site"),
            of("throughput", NONE, NONE, "bytes of a transfer by its duration"),
            of("hostTime", NONE, "time of a packet at the receiver, until its reply is sent", NONE),
            of("lagBack", NONE, "received − sent of each reply", NONE),
            of("roundTrips", NONE, "replies", NONE),
            of("streams", "lag and loss of a stream alone and with others, of all repeats", FORWARD, PIECES),
            of("transfers", NONE, NONE, "transfers, their connections and their compression"),
            of("runs", "runs of the point", SAME, SAME),
            of("packets", "packets of the runs", FORWARD, PIECES),
            of("rates", "packets a second, from the first to the last", FORWARD, PIECES),
            of("foreign", "packets of other runs that arrived", SAME, SAME),
            of("kernelDrops", "packets that the receiver's kernel dropped because a buffer was full", SAME, SAME),
            of(
                    "damaged",
                    "lost packets that arrived with a wrong checksum, or with two numbers that contradict each other",
                    SAME,
                    SAME),
            of("recordedDrops", "lost packets whose drop by the receiver's kernel was recorded", SAME, SAME),
            of(
                    "failedSends",
                    "packets that a send call refused, or that the sender's library dropped",
                    "as one-way, and replies that a send call refused",
                    "as one-way, for the pieces"),
            of("pathMtu", "largest packet of the path without fragments, to the receiver", SAME, SAME),
            of("overwritten", "packets that the bus controller's receive ring overwrote", SAME, SAME),
            of(
                    "lossPlaces",
                    "lost packets by where they were lost",
                    "as one-way, for the packets to the receiver",
                    SAME),
            of(
                    "retransmissions",
                    "segments that TCP retransmitted to the receiver",
                    "as one-way",
                    "as one-way, for all transfers"),
            of("buffers", "socket buffers of both sides", SAME, SAME),
            of("packetsPerCall", "most packets of a system call", SAME, SAME),
            of("allocation", "bytes that each side allocates for a packet", SAME, SAME),
            of("clock", "bound of the clocks' difference", SAME, SAME),
            of("corrected", "lag, with an estimate of the clocks' difference from the packets", FORWARD, PIECES),
            of("warmUp", "lag of the first recorded packets and of the rest", FORWARD, PIECES),
            of("media", "packets in their order at the receiver", FORWARD, PIECES),
            of("recovery", "the cost of repairing losses, and the losses that remain", FORWARD, PIECES),
            of(
                    "ledger",
                    "parts of the lag of all packets, of those next to the median, and above a quantile",
                    FORWARD,
                    PIECES),
            of("price", "what observation adds, by windows with and without it", NONE, NONE),
            of("occupancy", "fill levels of the socket buffers", FORWARD, PIECES),
            of("host", "in a monitor, load of the receiver's host since the previous value", SAME, SAME));

    private static MetricMeaning of(String quantity, String oneWay, String roundTrip, String transfer) {
        Map<Traffic, String> meanings = new EnumMap<>(
                Map.of(Traffic.ONE_WAY, oneWay, Traffic.ROUND_TRIP, roundTrip, Traffic.TRANSFER, transfer));
        meanings.values().removeIf(NONE::equals);
        return new MetricMeaning(quantity, meanings);
    }

    /** In the order of their meanings, then of groups. */
    @Override
    public List<Metric<?>> metrics() {
        List<String> quantities =
                meanings().stream().map(MetricMeaning::quantity).toList();
        return Stream.concat(
                        MetricGroups.ALL.stream().<Metric<?>>flatMap(group -> group.metrics().stream()),
                        Stream.concat(Stream.of(PairMetrics.RATE), HostMetrics.METRICS.stream()))
                .sorted(Comparator.comparingInt(metric -> position(quantities, metric)))
                .toList();
    }

    /** Returns the position of a metric's quantity; the last one if no source explains it. */
    private static int position(List<String> quantities, Metric<?> metric) {
        int position = quantities.indexOf(metric.id().split("\\.", 2)[0]);
        return position < 0 ? quantities.size() : position;
    }

    @Override
    public List<MetricMeaning> meanings() {
        return Stream.concat(MEANINGS.stream(), MetricGroups.meanings().stream())
                .toList();
    }
}
