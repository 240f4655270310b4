package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Recovery;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.core.text.Units;

/**
 * The cost of repairing losses and the losses that remain, by three sources: the captures, the library and the link.
 */
public final class RecoveryView extends View {
    /** The latency of which the table has a column. */
    private static final String SHOWN = "100ms";

    public RecoveryView() {
        super("recovery", 50, MetricGroup.RECOVERY);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        List<Recovery> all = rows.pooled(MetricGroup.RECOVERY);
        TableColumns<Recovery> columns = new TableColumns<Recovery>().group("Latency");
        if (all.stream().anyMatch(row -> row.configuredLatencyNs() != null)) {
            columns.time("Set", row -> ns(row.configuredLatencyNs()));
        }
        columns.time("Effective", Recovery::effectiveLatencyNs)
                .time("Arrived", Recovery::arrived999Ns)
                .group("Captures")
                .number("Late", "%", row -> Numbers.percent(row.lateShare()))
                .number(
                        "Unusable",
                        "%",
                        row -> Numbers.percent(
                                Objects.requireNonNull(row.unusable().get(SHOWN))))
                .number("Lost", "%", row -> percent(row.loss().share()))
                .number("Interval", "%", row -> interval(row.loss()));
        addIfAny(columns.group("Library"), all, "Not sent", of(Recovery::library, Recovery.Library::notSent));
        addIfAny(columns, all, "Lost", of(Recovery::library, Recovery.Library::lost));
        addIfAny(columns, all, "Repaired", of(Recovery::library, Recovery.Library::repaired));
        addIfAny(columns, all, "Given up", of(Recovery::library, Recovery.Library::givenUp));
        addIfAny(columns, all, "Sent again", of(Recovery::library, Recovery.Library::retransmitted));
        addIfAny(columns, all, "Redundant", of(Recovery::library, Recovery.Library::redundant));
        addIfAny(columns, all, "Needless", of(Recovery::library, Recovery.Library::needless));
        if (all.stream().anyMatch(row -> row.library() != null)) {
            columns.number(
                    "Added",
                    "%",
                    row -> row.library() == null
                            ? Numbers.NONE
                            : percent(row.library().addedShare()));
        }
        if (all.stream().anyMatch(row -> row.link() != null)) {
            columns.group("Link")
                    .number(
                            "Lost",
                            "frames",
                            row -> Numbers.count(
                                    row.link() == null
                                            ? null
                                            : (Long) row.link().framesLost()))
                    .number(
                            "Added",
                            "%",
                            row -> row.link() == null
                                    ? Numbers.NONE
                                    : percent(row.link().addedShare()));
        }
        return List.of(rows.table("What repairing losses costs", columns, MetricGroup.RECOVERY));
    }

    /** Adds a column of counts unless no row has one. */
    private static void addIfAny(
            TableColumns<Recovery> columns,
            List<Recovery> rows,
            String header,
            Function<Recovery, @Nullable Long> count) {
        if (rows.stream().anyMatch(row -> count.apply(row) != null)) {
            columns.count(header, count);
        }
    }

    private static <P> Function<Recovery, @Nullable Long> of(
            Function<Recovery, @Nullable P> part, Function<P, @Nullable Long> count) {
        return row -> {
            P counts = part.apply(row);
            return counts == null ? null : count.apply(counts);
        };
    }

    private static double ns(@Nullable Number ns) {
        return ns == null ? Double.NaN : ns.doubleValue();
    }

    private static String percent(@Nullable Double share) {
        return share == null ? Numbers.NONE : Numbers.percent(share);
    }

    private static String interval(Recovery.Loss loss) {
        return Double.isNaN(loss.low())
                ? Numbers.NONE
                : Numbers.percent(loss.low()) + " to " + Numbers.percent(loss.high());
    }

    @Override
    protected List<String> notes(PointRows rows) {
        List<Recovery> all = rows.pooled(MetricGroup.RECOVERY);
        if (all.isEmpty()) {
            return List.of();
        }
        List<String> notes = new ArrayList<>();
        notes.add("Effective latency, of transports with a latency that is set: the smallest lag of a run, which is one"
                + " connection; the mean over the runs. Late: the share of packets that arrived more than "
                + Numbers.grouped(Math.round(Recovery.LATE_NS / Units.NS_PER_MS))
                + " ms after it. Arrived: the lag by which 99.9 % of the sent packets had arrived. Unusable: the share"
                + " that was lost, or arrived later than 100 ms; recovery.unusable.* has other latencies. Lost: the"
                + " share of the packets that were not delivered. Its 95 % interval takes runs as independent, not the"
                + " packets of a run; it needs "
                + RepeatEstimate.MIN + " repeats.");
        if (all.stream().anyMatch(row -> row.library() != null)) {
            notes.add("Library: what the library counts, or the kernel's TCP, warm-up included. Not sent: packets"
                    + " that it dropped before they left the host. Lost: packets whose first copy was lost. Needless:"
                    + " copies of packets that had arrived, of TCP those that the receiver reported. Added: bytes"
                    + " retransmitted or redundant, by the bytes of the packets.");
        }
        if (all.stream().anyMatch(row -> row.link() != null)) {
            notes.add("Link: what the emulated link counts toward the receiver, warm-up and connecting included."
                    + " Added: all bytes from the Ethernet header on above those of the packets.");
        }
        return notes;
    }
}
