package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.cause.LagLedgers;
import org.lagbench.analysis.cause.LedgerMetrics;
import org.lagbench.analysis.cause.LedgerTotal;
import org.lagbench.analysis.cause.LedgerTotal.PartTotal;
import org.lagbench.analysis.cause.LossCauses;
import org.lagbench.analysis.cause.PacketSet;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.core.text.Units;

/** Where the lags of a set of packets went, part by part, and the causes of losses. */
public final class LedgerView extends View {
    static final String NOT_EXPLAINED = "Not explained";

    /** Parts with a smaller share of the mean lags, and of their excess, are one row, unless all are requested. */
    private static final double SMALL = 0.01;

    /** The order of a packet's way. */
    private static final Comparator<SideCause> WAY = Comparator.comparing((SideCause cause) ->
                    List.of(Role.SENDER, Role.PATH, Role.RECEIVER).indexOf(cause.side()))
            .thenComparing(Comparator.naturalOrder());

    /**
     * A part of a set of packets, next to the same part of packets next to the median.
     *
     * @param usual the sum over the packets next to the median
     * @param shown the sum over the set
     */
    private record PartRow(String part, String side, LagLedgers lag, PacketSet set, PartTotal usual, PartTotal shown) {
        PartRow plus(PartRow other) {
            return new PartRow(part, side, lag, set, usual.plus(other.usual), shown.plus(other.shown));
        }

        double medianNs() {
            return (double) usual.ns() / (double) lag.median().packets();
        }

        double meanNs() {
            return (double) shown.ns() / (double) lag.of(set).packets();
        }

        double excessNs() {
            return shown.excessNs() / (double) lag.of(set).packets();
        }

        double shareOfLag() {
            return (double) shown.ns() / (double) lag.of(set).total().ns();
        }

        boolean isSmall() {
            PartTotal total = lag.of(set).total();
            return isSmall((double) usual.ns(), (double) lag.median().total().ns())
                    && isSmall((double) shown.ns(), (double) total.ns())
                    && isSmall(shown.excessNs(), total.excessNs());
        }

        private static boolean isSmall(double part, double whole) {
            return Math.abs(part) <= SMALL * Math.abs(whole);
        }
    }

    public LedgerView() {
        super("ledger", 70, CauseGroups.LEDGER);
    }

    @Override
    public Set<MetricGroup<?>> needs() {
        return Set.of(CauseGroups.LEDGER, MetricGroup.SERIES);
    }

    @Override
    public boolean isOfPackets() {
        return true;
    }

    @Override
    protected List<String> notes(PointRows rows) {
        return LedgerNotes.notes(rows);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        List<Table> tables = new ArrayList<>();
        tables.add(parts(rows, "transmit lag", LedgerMetrics::lag));
        tables.add(parts(rows, "lag from the scheduled time", LedgerMetrics::lagFromSchedule));
        if (rows.pooled(CauseGroups.LEDGER).stream()
                .anyMatch(ledger -> ledger.losses().lost() > 0)) {
            tables.add(losses(rows));
        }
        return tables;
    }

    static Tail tail(PointRows rows) {
        return rows.pooled(CauseGroups.LEDGER).stream()
                .findFirst()
                .map(LedgerMetrics::tail)
                .orElse(Tail.DEFAULT);
    }

    private static Table parts(PointRows rows, String title, Function<LedgerMetrics, @Nullable LagLedgers> lag) {
        PacketSet set = rows.view().of();
        TableColumns<PartRow> columns =
                new TableColumns<PartRow>().text("Part", PartRow::part).text("Side", PartRow::side);
        String of;
        if (set == PacketSet.TAIL) {
            of = "packets above Q" + tail(rows).percent();
            columns.time("Median", PartRow::medianNs)
                    .time("Tail", PartRow::meanNs)
                    .time("Excess", PartRow::excessNs)
                    .count("n", row -> row.shown().packets());
        } else {
            of = set == PacketSet.MEDIAN ? "packets next to the median" : "all packets";
            columns.time("Mean", PartRow::meanNs)
                    .number("Share", "%", row -> Numbers.fixed(1, Units.PERCENT * row.shareOfLag()));
        }
        return rows.table("Parts of the " + title + ", " + of, columns, CauseGroups.LEDGER, ledger -> {
            LagLedgers found = lag.apply(ledger);
            return found == null || found.of(set).packets() == 0
                    ? List.of()
                    : rows(found, set, rows.view().zeros());
        });
    }

    /** Returns the parts in the order of the packet's path, then the part that is not explained, and the sum. */
    private static List<PartRow> rows(LagLedgers lag, PacketSet set, boolean isAll) {
        LedgerTotal usual = lag.median();
        LedgerTotal shown = lag.of(set);
        SortedSet<SideCause> causes = new TreeSet<>(WAY);
        causes.addAll(shown.parts().keySet());
        if (set == PacketSet.TAIL) {
            causes.addAll(usual.parts().keySet());
        }
        Map<List<String>, PartRow> byName = new LinkedHashMap<>(); // threads of one title are one row
        for (SideCause cause : causes) {
            PartRow row = new PartRow(
                    (isAll ? cause : cause.grouped()).title(),
                    cause.side().text(),
                    lag,
                    set,
                    usual.parts().getOrDefault(cause, PartTotal.NONE),
                    shown.parts().getOrDefault(cause, PartTotal.NONE));
            byName.merge(List.of(row.part(), row.side()), row, PartRow::plus);
        }
        List<PartRow> parts = new ArrayList<>(byName.values());
        List<PartRow> small =
                parts.stream().filter(row -> !isAll && row.isSmall()).toList();
        parts.removeAll(small);
        small.stream()
                .reduce(PartRow::plus)
                .ifPresent(sum -> parts.add(new PartRow(
                        "Others (" + small.size() + ")", Numbers.NONE, lag, set, sum.usual(), sum.shown())));
        Role side = shown.notExplainedSide();
        parts.add(new PartRow(
                NOT_EXPLAINED,
                side == null ? Numbers.NONE : side.text(),
                lag,
                set,
                usual.notExplained(),
                shown.notExplained()));
        parts.add(new PartRow("Lag", Numbers.NONE, lag, set, usual.total(), shown.total()));
        return parts;
    }

    private static Table losses(PointRows rows) {
        TableColumns<LossCauses> columns = new TableColumns<LossCauses>()
                .count("Lost", LossCauses::lost)
                .count("By kernel drop", LossCauses::byKernelDrop)
                .count("Damaged", LossCauses::damaged)
                .text("Reasons", losses -> reasons(losses.dropReasons()))
                .count("Not explained", LossCauses::unexplained);
        return rows.table("Lost packets, by cause", columns, CauseGroups.LEDGER, ledger -> List.of(ledger.losses()));
    }

    /** Returns the kernel's reasons, the most frequent first: "SOCKET_RCVBUFF 12, NO_SOCKET 1". */
    static String reasons(Map<String, Long> packets) {
        return packets.isEmpty()
                ? Numbers.NONE
                : packets.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(reason -> reason.getKey() + " " + Numbers.grouped(reason.getValue()))
                        .collect(Collectors.joining(", "));
    }
}
