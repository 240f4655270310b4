package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RetransmissionFacts;

/**
 * What the sending kernels retransmitted over TCP, from the lead-in to the end of each run.
 *
 * @param segments number of segments
 * @param bytes number of bytes; null if a kernel does not count them
 * @param needless segments that the receiving kernels reported as duplicates; null if a kernel does not count them
 */
public record Retransmission(long segments, @Nullable Long bytes, @Nullable Long needless) {
    private static final String TITLE = "Retransmissions";

    /** The metrics of retransmissions. */
    static final List<Metric<Retransmission>> METRICS = List.of(
            Metric.count(
                    "retransmissions.segments",
                    TITLE,
                    "Segments",
                    "segments",
                    Combination.SUM,
                    Retransmission::segments),
            Metric.count(
                    "retransmissions.needless",
                    TITLE,
                    "Needless",
                    "segments",
                    Combination.SUM,
                    Retransmission::needless),
            Metric.size("retransmissions.bytes", TITLE, "Bytes", Combination.SUM, Retransmission::bytes));

    /** Returns the sum over the runs; null if one recorded nothing. */
    static @Nullable Retransmission of(PooledRuns runs) {
        List<RetransmissionFacts> all = PooledRuns.metadata(runs.senders(), RetransmissionFacts.class);
        return all.isEmpty() || all.size() < runs.senders().size()
                ? null
                : new Retransmission(
                        all.stream()
                                .mapToLong(RetransmissionFacts::retransmittedSegments)
                                .sum(),
                        sum(all, RetransmissionFacts::retransmittedBytes),
                        sum(all, RetransmissionFacts::needlessRetransmissions));
    }

    private static @Nullable Long sum(
            List<RetransmissionFacts> all, Function<RetransmissionFacts, @Nullable Long> count) {
        List<Long> known = all.stream().map(count).filter(Objects::nonNull).toList();
        return known.size() < all.size() ? null : (Long) PooledRuns.total(known);
    }
}
