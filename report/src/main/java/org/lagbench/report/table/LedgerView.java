package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.lagbench.analysis.cause.LedgerMetrics;
import org.lagbench.analysis.cause.LedgerMetrics.LedgerTotal;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.summary.MetricGroup;

/** The parts of the lag of usual packets next to those of slow packets. */
final class LedgerView {
    static final String NOT_EXPLAINED = "Not explained";

    /** Parts with a smaller share of both mean lags are one row, unless all are requested. */
    private static final double SMALL = 0.01;

    /** The order of a packet's way. */
    private static final Comparator<SideCause> WAY = Comparator.comparing((SideCause cause) ->
                    List.of(Role.SENDER, Role.PATH, Role.RECEIVER).indexOf(cause.side()))
            .thenComparing(Comparator.naturalOrder());

    /** A part in the mean of the packets next to the median and of the slow packets. */
    private record PartRow(String part, String side, double medianNs, double slowNs) {
        static PartRow of(String part, String side, LedgerMetrics ledger, double medianSumNs, double slowSumNs) {
            return new PartRow(
                    part,
                    side,
                    medianSumNs / (double) ledger.median().packets(),
                    slowSumNs / (double) ledger.slow().packets());
        }

        PartRow plus(PartRow other) {
            return new PartRow(part, side, medianNs + other.medianNs, slowNs + other.slowNs);
        }
    }

    private LedgerView() {}

    static List<Table> tables(PointRows rows) {
        TableColumns<PartRow> columns = new TableColumns<PartRow>()
                .text("Part", PartRow::part)
                .text("Side", PartRow::side)
                .time("Median", PartRow::medianNs)
                .time("Slow", PartRow::slowNs)
                .time("Growth", row -> row.slowNs() - row.medianNs());
        return List.of(rows.table(
                "Parts of the transmit lag: packets next to the median, and above Q"
                        + tail(rows).percent(),
                columns,
                MetricGroup.LEDGER,
                ledger -> ledger.slow().packets() == 0
                        ? List.of()
                        : parts(ledger, rows.view().zeros())));
    }

    private static Tail tail(PointRows rows) {
        return rows.pooled(MetricGroup.LEDGER).stream()
                .findFirst()
                .map(LedgerMetrics::tail)
                .orElse(Tail.DEFAULT);
    }

    /** Returns the parts in the order of the packet's path, then the part that is not explained, and the sum. */
    private static List<PartRow> parts(LedgerMetrics ledger, boolean isAll) {
        LedgerTotal median = ledger.median();
        LedgerTotal slow = ledger.slow();
        SortedSet<SideCause> causes = new TreeSet<>(WAY);
        causes.addAll(median.partsNs().keySet());
        causes.addAll(slow.partsNs().keySet());
        Map<List<String>, PartRow> byName = new LinkedHashMap<>(); // threads of one title are one row
        for (SideCause cause : causes) {
            PartRow row = PartRow.of(
                    (isAll ? cause : cause.grouped()).title(),
                    cause.side().text(),
                    ledger,
                    median.partsNs().getOrDefault(cause, 0.0),
                    slow.partsNs().getOrDefault(cause, 0.0));
            byName.merge(List.of(row.part(), row.side()), row, PartRow::plus);
        }
        PartRow lag = PartRow.of("Lag", Numbers.NONE, ledger, (double) median.lagNs(), (double) slow.lagNs());
        List<PartRow> parts = new ArrayList<>(byName.values());
        List<PartRow> small = parts.stream()
                .filter(row -> !isAll
                        && Math.abs(row.medianNs()) < SMALL * lag.medianNs()
                        && Math.abs(row.slowNs()) < SMALL * lag.slowNs())
                .toList();
        parts.removeAll(small);
        small.stream()
                .reduce(PartRow::plus)
                .ifPresent(sum -> parts.add(
                        new PartRow("Others (" + small.size() + ")", Numbers.NONE, sum.medianNs(), sum.slowNs())));
        parts.add(PartRow.of(
                NOT_EXPLAINED, Numbers.NONE, ledger, (double) median.notExplainedNs(), (double) slow.notExplainedNs()));
        parts.add(lag);
        return parts;
    }

    static List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        notes.add("The values are means over the packets next to the median of each run and over those above its "
                + tail(rows).percent() + " % quantile. An instant is in one part, so that the parts of a packet add up"
                + " to its lag exactly. A part on the path has the error of both clocks, and can be negative by that."
                + " \"" + NOT_EXPLAINED + "\" is what no stamp and no event proves; if a source of a side was off or"
                + " lost an event (waits and waitsLost in run.json), this includes the rest of its send or receive"
                + " calls. lagbench explain shows single packets.");
        notes.addAll(CausesView.ofWindows(rows));
        return notes;
    }
}
