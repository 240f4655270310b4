package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lagbench.analysis.media.DeliveryIndex;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.MediaFigures;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Figures;

/**
 * The multimedia metrics: how delay varies, where losses fall, what came out of order or twice, and the delivery index.
 */
final class MediaView implements ViewContent {
    @Override
    public Set<Detail> details() {
        return Set.of(Detail.MEDIA);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        return List.of(variation(rows), pattern(rows), delivery(rows));
    }

    private static Table variation(PointRows rows) {
        TableColumns<MediaFigures> columns = new TableColumns<MediaFigures>()
                .group("Jitter (RFC 3550)")
                .us("Last", media -> media.jitter().lastNs())
                .us("Mean", media -> media.jitter().meanNs())
                .us("Max", media -> media.jitter().maximumNs());
        addTail(columns.group("|IPDV| (RFC 3393)"), media -> media.ipdv().size());
        addTail(columns.group("PDV (RFC 5481)"), MediaFigures::pdv);
        return rows.table("Delay variation", columns, figures -> List.of(figures.media()));
    }

    private static void addTail(TableColumns<MediaFigures> columns, Function<MediaFigures, TailStatistics> tail) {
        columns.us("Median", media -> tail.apply(media).medianNs())
                .us("Q95", media -> tail.apply(media).q95Ns())
                .us("Q99", media -> tail.apply(media).q99Ns())
                .us("Q99.9", media -> tail.apply(media).q999Ns())
                .us("Max", media -> tail.apply(media).maximumNs());
    }

    private static Table pattern(PointRows rows) {
        TableColumns<Figures> columns = new TableColumns<Figures>()
                .count("Sent", figures -> figures.packets().sent())
                .group("Loss (RFC 3357)")
                .count("Lost", figures -> figures.media().loss().lost())
                .count(
                        "Peri- ods",
                        figures -> figures.media().loss().periodLengths().n())
                .mean(
                        "Mean length",
                        "",
                        figures -> figures.media().loss().periodLengths().mean())
                .mean(
                        "Longest",
                        "",
                        figures -> figures.media().loss().periodLengths().maximum())
                .percent("Notice- able", figures -> figures.media().loss().noticeableRate())
                .group("Reordering (RFC 4737)")
                .count("Packets", figures -> figures.media().reordering().reordered())
                .percent("Share", figures -> figures.media().reordering().ratio())
                .mean(
                        "Mean extent",
                        "",
                        figures -> figures.media().reordering().extents().mean())
                .mean(
                        "Max extent",
                        "",
                        figures -> figures.media().reordering().extents().maximum())
                .count("3-reor- dered", figures -> figures.media().reordering().threeReordered())
                .group("Copies (RFC 5560)")
                .percent("Share", figures -> figures.media().duplication().fraction())
                .percent(
                        "Repli- cated", figures -> figures.media().duplication().replicatedRate());
        return rows.table("Losses, order and copies", columns, List::of);
    }

    private static Table delivery(PointRows rows) {
        TableColumns<DeliveryIndex> columns = new TableColumns<DeliveryIndex>()
                .mean("Media rate", "packets/s", DeliveryIndex::packetsPerSecond)
                .count("Periods", DeliveryIndex::periods)
                .count("Silent periods", DeliveryIndex::silentPeriods)
                .group("Delay factor")
                .us("Mean", DeliveryIndex::delayFactorMeanNs)
                .us("Max", DeliveryIndex::delayFactorMaximumNs)
                .group("Media loss rate")
                .mean("Mean", "1/s", DeliveryIndex::mediaLossRateMean)
                .mean("Max", "1/s", DeliveryIndex::mediaLossRateMaximum);
        return rows.table("Media Delivery Index (RFC 4445)", columns, figures -> Stream.ofNullable(
                        figures.media().deliveryIndex())
                .toList());
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
            if (rows.any(point -> point.point().hasSchedule())) {
                notes.add("Media Delivery Index: over periods of 1 s, at the nominal rate of a packet, or burst, each"
                        + " pace interval; a delay factor is how much media, in time, a buffer must hold.");
            }
            if (rows.any(point -> !point.point().hasSchedule())) {
                notes.add("Floods have no Media Delivery Index: without a nominal rate no packet is early or late.");
            }
        }
        return notes;
    }
}
