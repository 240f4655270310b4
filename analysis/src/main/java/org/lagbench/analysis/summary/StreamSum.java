package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/**
 * The rate of equal streams that were sent at the same time in one direction, together.
 *
 * @param point the streams' point, as if they were one
 * @param streams their number
 * @param repeats the number of repeats with all of them
 * @param received from the first arrival of the last stream that began until the last arrival of the first that ended,
 *     copies included
 */
public record StreamSum(MeasuredPoint point, int streams, int repeats, Rates.PacketRate received) {
    /** The metrics of runs that a sum has too. */
    public static final List<Metric<StreamSum>> METRICS = List.of(
            MetricRegistry.of("rates.received.packetsPerS").of(sum -> sum.received.packetsPerS()),
            MetricRegistry.of("receiveRate").of(sum -> sum.received.mbitPerS()));

    private static final long[] NOTHING = {};

    /** Returns the sums of the streams of a session's runs, in the order of tables. */
    static List<StreamSum> of(List<RunDirectory> directories) throws LagbenchException {
        Map<MeasuredPoint, Map<Integer, List<RunDirectory>>> groups = new TreeMap<>();
        for (RunDirectory directory : directories) {
            RunRecord record = directory.record();
            StreamRole role = directory.completeStream();
            if (record != null && role != null && role.equalStreams() > 1) {
                groups.computeIfAbsent(MeasuredPoint.of(record).with(role.ofAllStreams()), point -> new TreeMap<>())
                        .computeIfAbsent(record.run().repeat(), repeat -> new ArrayList<>())
                        .add(directory);
            }
        }
        List<StreamSum> sums = new ArrayList<>();
        for (Map.Entry<MeasuredPoint, Map<Integer, List<RunDirectory>>> group : groups.entrySet()) {
            MeasuredPoint point = group.getKey();
            StreamSum sum = null;
            long packets = 0;
            long ns = 0;
            for (List<RunDirectory> together : group.getValue().values()) {
                StreamRole role = Objects.requireNonNull(together.get(0).completeStream());
                long[] arrived = together.size() < role.equalStreams() ? NOTHING : arrivals(together);
                if (arrived.length > 0) {
                    packets += arrived[0];
                    ns += arrived[1];
                    sum = new StreamSum(
                            point,
                            together.size(),
                            sum == null ? 1 : sum.repeats + 1,
                            Rates.PacketRate.of(packets, ns, point.packetBytes()));
                }
            }
            if (sum != null) {
                sums.add(sum);
            }
        }
        return sums;
    }

    /**
     * Returns how many packets of all streams arrived while all of them did, and in how many ns; nothing if a stream
     * received none.
     */
    private static long[] arrivals(List<RunDirectory> together) throws LagbenchException {
        List<JoinedRun> runs = new ArrayList<>();
        try {
            long beginNs = Long.MIN_VALUE;
            long endNs = Long.MAX_VALUE;
            for (RunDirectory directory : together) {
                JoinedRun run = directory.open();
                runs.add(run);
                if (run.received() == 0) {
                    return NOTHING;
                }
                beginNs = Math.max(beginNs, run.receivedNs(0));
                endNs = Math.min(endNs, run.receivedNs(run.received() - 1));
            }
            long packets = 0;
            for (JoinedRun run : endNs > beginNs ? runs : List.<JoinedRun>of()) {
                packets += arrivalsUntil(run, endNs) - arrivalsUntil(run, beginNs);
            }
            return new long[] {packets, Math.max(0, endNs - beginNs)};
        } finally {
            JoinedRun.closeAll(runs);
        }
    }

    /** Returns the number of arrivals not after a time, by bisection, because arrivals are in order of time. */
    private static long arrivalsUntil(JoinedRun run, long ns) throws LagbenchException {
        return Bisection.first(0, run.received(), arrival -> run.receivedNs(arrival) > ns);
    }
}
