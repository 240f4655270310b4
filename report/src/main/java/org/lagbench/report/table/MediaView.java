package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.DeliveryIndex;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.MediaFigures;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Figures;
import tools.jackson.databind.node.ObjectNode;

/**
 * The multimedia metrics: how delay varies, where losses fall, what came out of order or twice, and the delivery index.
 */
final class MediaView implements ViewContent {
    private static final String US = "µs";

    @Override
    public Set<Detail> details() {
        return Set.of(Detail.MEDIA);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        return List.of(variation(rows), pattern(rows), delivery(rows));
    }

    private static Table variation(PointRows rows) {
        List<Column> columns = rows.columns();
        for (String header : List.of("Last", "Mean", "Max")) {
            columns.add(Column.number("Jitter (RFC 3550)", header, US));
        }
        for (String group : List.of("|IPDV| (RFC 3393)", "PDV (RFC 5481)")) {
            for (String header : List.of("Median", "Q95", "Q99", "Q99.9", "Max")) {
                columns.add(Column.number(group, header, US));
            }
        }
        return new Table(rows.title("Delay variation"), columns, rows.rows(figures -> {
            MediaFigures media = figures.media();
            List<String> cells = new ArrayList<>();
            cells.add(Numbers.usText(media.jitter().finalNs()));
            cells.add(Numbers.usText(media.jitter().meanNs()));
            cells.add(Numbers.usText(media.jitter().maximumNs()));
            tail(media.ipdv().size(), cells);
            tail(media.pdv().statistics(), cells);
            return List.of(cells);
        }));
    }

    private static void tail(TailStatistics statistics, List<String> cells) {
        cells.add(Numbers.usText(statistics.medianNs()));
        cells.add(Numbers.usText(statistics.q95Ns()));
        cells.add(Numbers.usText(statistics.q99Ns()));
        cells.add(Numbers.usText(statistics.q999Ns()));
        cells.add(Numbers.usText(statistics.maximumNs()));
    }

    private static Table pattern(PointRows rows) {
        List<Column> columns = rows.columns();
        columns.add(Column.number("Sent", ""));
        String loss = "Loss (RFC 3357)";
        columns.add(Column.number(loss, "Lost", ""));
        columns.add(Column.number(loss, "Peri- ods", ""));
        columns.add(Column.number(loss, "Mean length", ""));
        columns.add(Column.number(loss, "Longest", ""));
        columns.add(Column.number(loss, "Notice- able", "%"));
        String order = "Reordering (RFC 4737)";
        columns.add(Column.number(order, "Packets", ""));
        columns.add(Column.number(order, "Share", "%"));
        columns.add(Column.number(order, "Mean extent", ""));
        columns.add(Column.number(order, "Max extent", ""));
        columns.add(Column.number(order, "3-reor- dered", ""));
        String copies = "Copies (RFC 5560)";
        columns.add(Column.number(copies, "Share", "%"));
        columns.add(Column.number(copies, "Repli- cated", "%"));
        return new Table(rows.title("Losses, order and copies"), columns, rows.rows(figures -> {
            MediaFigures media = figures.media();
            return List.of(List.of(
                    Numbers.count(figures.packets().sent()),
                    Numbers.count(media.loss().lost()),
                    Numbers.count(media.loss().periodLengths().n()),
                    Numbers.countText(media.loss().periodLengths().mean()),
                    Numbers.countText(media.loss().periodLengths().maximum()),
                    Numbers.percent(media.loss().noticeableRate()),
                    Numbers.count(media.reordering().reordered()),
                    Numbers.percent(media.reordering().ratio()),
                    Numbers.countText(media.reordering().extents().mean()),
                    Numbers.countText(media.reordering().extents().maximum()),
                    Numbers.count(media.reordering().threeReordered()),
                    Numbers.percent(media.duplication().fraction()),
                    Numbers.percent(media.duplication().replicatedRate())));
        }));
    }

    private static Table delivery(PointRows rows) {
        List<Column> columns = rows.columns();
        columns.add(Column.number("Media rate", "packets/s"));
        columns.add(Column.number("Periods", ""));
        columns.add(Column.number("Silent periods", ""));
        columns.add(Column.number("Delay factor", "Mean", US));
        columns.add(Column.number("Delay factor", "Max", US));
        columns.add(Column.number("Media loss rate", "Mean", "1/s"));
        columns.add(Column.number("Media loss rate", "Max", "1/s"));
        return new Table(rows.title("Media Delivery Index (RFC 4445)"), columns, rows.rows(figures -> {
            DeliveryIndex index = figures.media().delivery();
            return index == null
                    ? List.of()
                    : List.of(List.of(
                            Numbers.countText(index.packetsPerSecond()),
                            Numbers.count(index.periods()),
                            Numbers.count(index.silentPeriods()),
                            Numbers.usText(index.delayFactorMeanNs()),
                            Numbers.usText(index.delayFactorMaximumNs()),
                            Numbers.countText(index.mediaLossMean()),
                            Numbers.count(index.mediaLossMaximum())));
        }));
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        if (!rows.summary().points().isEmpty()) {
            notes.add("Jitter: RFC 3550 §6.4.1 in the order of arrival, without rounding. IPDV: the difference of the"
                    + " lags of packets sent one after the other, its sign left out. PDV: the lag beyond the"
                    + " least of the run. A steady offset of the clocks is in none of them. Quantiles by"
                    + " estimator R-7.");
            notes.add("A loss period is a run of packets lost one after the other. Noticeable: losses at most "
                    + LossPattern.DELTA
                    + " packets after another, of all losses (RFC 3357 §6.1). Extent: how many places"
                    + " late a packet came. Copies by packet that came; replicated: packets of which copies came.");
            boolean anyIndex = rows.summary().points().stream()
                    .anyMatch(point -> point.point().hasSchedule());
            boolean anyFlood = rows.summary().points().stream()
                    .anyMatch(point -> !point.point().hasSchedule());
            if (anyIndex) {
                notes.add("Media Delivery Index: over periods of 1 s, at the nominal rate of a packet, or burst, each"
                        + " pace interval; a delay factor is how much media, in time, a buffer must hold.");
            }
            if (anyFlood) {
                notes.add("Floods have no Media Delivery Index: without a nominal rate no packet is early or late.");
            }
        }
        notes.addAll(Notes.ofRuns(rows.summary(), rows.axes()));
        return notes;
    }

    @Override
    public void putCsv(Map<String, String> row, @Nullable Figures figures) {
        MediaFiles.putCsv(row, figures == null ? null : figures.media());
    }

    @Override
    public void putJson(ObjectNode node, Figures figures) {
        node.set("media", MediaFiles.json(figures.media()));
    }
}
