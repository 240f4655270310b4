package org.lagbench.report.table;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.CauseFigures;
import org.lagbench.analysis.cause.LossCauses;
import org.lagbench.analysis.cause.Share;
import org.lagbench.analysis.cause.Side;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.cause.TailCauses;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.cause.Cause;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tables of causes: each cause's share of the values of the lag that are the tail, by their number and by their
 * time.
 */
final class CausesView implements ViewContent {
    private static final double NS_PER_MS = 1e6;
    private static final double PERCENT = 100;

    @Override
    public Set<Detail> details() {
        return Set.of(Detail.CAUSES, Detail.COMPANIONS);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Table> tables = new ArrayList<>();
        tables.add(tail(rows, "Transmit lag", CauseFigures::lag));
        if (any(rows, figures -> figures.lagFromSchedule() != null)) {
            tables.add(tail(rows, "Lag from the scheduled time", CauseFigures::lagFromSchedule));
        }
        if (any(rows, figures -> figures.losses().lost() > 0)) {
            tables.add(losses(rows));
        }
        return tables;
    }

    /** The quantile above which the tail is. */
    private static String percent(PointRows rows) {
        return rows.summary().points().stream()
                .map(point -> point.pooled().causes())
                .filter(Objects::nonNull)
                .findFirst()
                .map(CauseFigures::tail)
                .orElse(Tail.DEFAULT)
                .percent();
    }

    private static boolean any(PointRows rows, Predicate<CauseFigures> is) {
        return rows.summary().points().stream()
                .map(point -> point.pooled().causes())
                .anyMatch(causes -> causes != null && is.test(causes));
    }

    private static Table tail(PointRows rows, String lag, Function<CauseFigures, @Nullable TailCauses> tail) {
        List<Column> columns = rows.columns();
        columns.add(Column.text("Cause"));
        columns.add(Column.text("Side"));
        columns.add(Column.number("Packets", "", ""));
        columns.add(Column.number("Packets", "Share", "%"));
        columns.add(Column.number("Excess over the median", "Sum", "ms"));
        columns.add(Column.number("Excess over the median", "Share", "%"));
        return new Table(
                rows.title(lag + " above Q" + percent(rows) + ", by cause"),
                columns,
                rows.rows(figures -> tailRows(figures.causes(), tail)));
    }

    private static List<List<String>> tailRows(
            @Nullable CauseFigures figures, Function<CauseFigures, @Nullable TailCauses> of) {
        TailCauses tail = figures == null ? null : of.apply(figures);
        if (tail == null) {
            return List.of();
        }
        Share total = tail.total();
        List<List<String>> rows = new ArrayList<>();
        tail.byCause()
                .forEach((cause, share) ->
                        rows.add(cells(cause.cause().title(), cause.side().text(), share, total)));
        rows.add(cells("Unexplained", Numbers.NONE, tail.unexplained(), total));
        return rows;
    }

    private static List<String> cells(String cause, String side, Share share, Share total) {
        return List.of(
                cause,
                side,
                Numbers.count(share.packets()),
                percent((double) share.packets(), (double) total.packets()),
                String.format(Locale.ROOT, "%.3f", share.excessNs() / NS_PER_MS),
                percent(share.excessNs(), total.excessNs()));
    }

    private static Table losses(PointRows rows) {
        List<Column> columns = rows.columns();
        columns.add(Column.number("Lost", ""));
        columns.add(Column.number("By kernel drop", ""));
        columns.add(Column.number("Unexplained", ""));
        return new Table(rows.title("Lost packets, by cause"), columns, rows.rows(figures -> {
            CauseFigures causes = figures.causes();
            if (causes == null) {
                return List.of();
            }
            LossCauses losses = causes.losses();
            return List.of(List.of(
                    Numbers.count(losses.lost()),
                    Numbers.count(losses.dropped()),
                    Numbers.count(losses.lost() - losses.dropped())));
        }));
    }

    private static String percent(double part, double whole) {
        return whole == 0 ? Numbers.NONE : String.format(Locale.ROOT, "%.1f", PERCENT * part / whole);
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        List<String> without = rows.summary().points().stream()
                .flatMap(point -> point.runs().stream())
                .filter(run -> run.figures().causes() == null)
                .map(RunSummary::name)
                .toList();
        notes.add("Each value above the " + percent(rows)
                + " % quantile of its run has the cause that went on longest while it was late, if"
                + " for half of its excess over the median at least; packets that queued behind a late one have that"
                + " one's. A garbage collection or safepoint goes before the stop of the process that it is, and a"
                + " compilation is a cause only while the packet thread waited for a CPU.");
        if (!without.isEmpty()) {
            notes.add("Causes were not recorded (observe: causes) by both sides of: " + String.join(", ", without)
                    + "; a point that one of these is pooled in has none.");
        }
        notes.addAll(Notes.ofRuns(rows.summary(), rows.axes()));
        return notes;
    }

    @Override
    public void putCsv(Map<String, String> row, @Nullable Figures figures) {
        CauseFigures causes = figures == null ? null : figures.causes();
        row.put("tailPercent", causes == null ? "" : causes.tail().percent());
        putTail(row, "lagTail", causes == null ? null : causes.lag());
        putTail(row, "lagFromScheduleTail", causes == null ? null : causes.lagFromSchedule());
        row.put(
                "lostByKernelDrop",
                causes == null ? "" : Long.toString(causes.losses().dropped()));
    }

    private static void putTail(Map<String, String> row, String name, @Nullable TailCauses tail) {
        for (Side side : Side.values()) {
            for (Cause cause : Cause.values()) {
                if (cause != Cause.KERNEL_DROP) {
                    putShare(
                            row,
                            name + "." + side.text() + "." + cause.text(),
                            tail == null ? null : tail.byCause().getOrDefault(new SideCause(side, cause), Share.NONE));
                }
            }
        }
        putShare(row, name + ".unexplained", tail == null ? null : tail.unexplained());
    }

    private static void putShare(Map<String, String> row, String name, @Nullable Share share) {
        row.put(name + ".packets", share == null ? "" : Long.toString(share.packets()));
        row.put(name + ".excessUs", share == null ? "" : Double.toString(Numbers.us(share.excessNs())));
    }

    @Override
    public void putJson(ObjectNode node, Figures figures) {
        CauseFigures causes = figures.causes();
        if (causes == null) {
            node.putNull("causes");
            return;
        }
        ObjectNode all = node.putObject("causes");
        all.put("tailPercent", new BigDecimal(causes.tail().percent()));
        putTail(all.putObject("lag"), causes.lag());
        TailCauses fromSchedule = causes.lagFromSchedule();
        if (fromSchedule == null) {
            all.putNull("lagFromSchedule");
        } else {
            putTail(all.putObject("lagFromSchedule"), fromSchedule);
        }
        ObjectNode losses = all.putObject("losses");
        losses.put("lost", causes.losses().lost());
        losses.put("byKernelDrop", causes.losses().dropped());
    }

    private static void putTail(ObjectNode node, TailCauses tail) {
        putShare(node, tail.total());
        ArrayNode byCause = node.putArray("byCause");
        tail.byCause().forEach((cause, share) -> {
            ObjectNode entry = byCause.addObject();
            entry.put("cause", cause.cause().text());
            entry.put("side", cause.side().text());
            putShare(entry, share);
        });
        putShare(node.putObject("unexplained"), tail.unexplained());
    }

    private static void putShare(ObjectNode node, Share share) {
        node.put("packets", share.packets());
        node.put("excessUs", Numbers.us(share.excessNs()));
    }
}
