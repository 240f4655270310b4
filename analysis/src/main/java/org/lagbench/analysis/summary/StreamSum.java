package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.failure.LagbenchException;
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
public record StreamSum(PointKey point, int streams, int repeats, Rates.PacketRate received) {
    /** Packets that arrived in a time, over all streams and repeats. */
    private static final class Sum {
        private int streams;
        private int repeats;
        private long packets;
        private long ns;

        void add(List<JoinedRun> runs) throws LagbenchException {
            long beginNs = Long.MIN_VALUE;
            long endNs = Long.MAX_VALUE;
            for (JoinedRun run : runs) {
                if (run.received() == 0) {
                    return;
                }
                beginNs = Math.max(beginNs, run.receivedNs(0));
                endNs = Math.min(endNs, run.receivedNs(run.received() - 1));
            }
            if (endNs > beginNs) {
                for (JoinedRun run : runs) {
                    packets += arrivalsUntil(run, endNs) - arrivalsUntil(run, beginNs);
                }
                ns += endNs - beginNs;
            }
            streams = runs.size();
            repeats++;
        }

        /** Returns the number of arrivals not after a time, by bisection, because arrivals are in order of time. */
        private static long arrivalsUntil(JoinedRun run, long ns) throws LagbenchException {
            return Bisection.first(0, run.received(), arrival -> run.receivedNs(arrival) > ns);
        }
    }

    /** Returns the sums of the streams of a session's runs, in the order of tables. */
    static List<StreamSum> of(List<RunDirectory> directories) throws LagbenchException {
        Map<PointKey, Map<Integer, List<RunDirectory>>> groups = new TreeMap<>();
        for (RunDirectory directory : directories) {
            RunRecord record = directory.record();
            StreamRole role = record == null ? null : record.run().stream();
            if (record != null
                    && role != null
                    && record.state() == RunRecord.State.COMPLETE
                    && role.equalStreams() > 1) {
                groups.computeIfAbsent(PointKey.of(record).with(role.ofAllStreams()), point -> new TreeMap<>())
                        .computeIfAbsent(record.run().repeat(), repeat -> new ArrayList<>())
                        .add(directory);
            }
        }
        List<StreamSum> sums = new ArrayList<>();
        for (Map.Entry<PointKey, Map<Integer, List<RunDirectory>>> group : groups.entrySet()) {
            Sum sum = new Sum();
            for (List<RunDirectory> together : group.getValue().values()) {
                add(together, sum);
            }
            if (sum.repeats > 0) {
                PointKey point = group.getKey();
                sums.add(new StreamSum(
                        point,
                        sum.streams,
                        sum.repeats,
                        Rates.PacketRate.of(sum.packets, sum.ns, point.packetBytes())));
            }
        }
        return sums;
    }

    /** Adds a repeat, unless a stream is missing. */
    private static void add(List<RunDirectory> together, Sum sum) throws LagbenchException {
        StreamRole role =
                Objects.requireNonNull(Objects.requireNonNull(together.get(0).record()).run().stream());
        List<JoinedRun> runs = new ArrayList<>();
        if (together.size() < role.equalStreams()) {
            return;
        }
        try {
            for (RunDirectory directory : together) {
                runs.add(JoinedRun.open(directory.path()));
            }
            sum.add(runs);
        } finally {
            JoinedRun.closeAll(runs);
        }
    }
}
