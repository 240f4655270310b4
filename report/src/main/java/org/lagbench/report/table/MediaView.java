package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lagbench.analysis.media.DeliveryIndex;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.MediaGroups;
import org.lagbench.analysis.media.MediaMetrics;
import org.lagbench.analysis.statistics.TailStatistics;
import org.lagbench.analysis.summary.Metrics;

/** The multimedia metrics: delay variation, loss, reordering and duplication, and the delivery index. */
public final class MediaView extends View {
    public MediaView() {
        super("media", 40, MediaGroups.MEDIA);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        return List.of(variation(rows), pattern(rows), delivery(rows));
    }

    private static Table variation(PointRows rows) {
        TableColumns<MediaMetrics> columns = new TableColumns<MediaMetrics>()
                .group("Jitter (RFC 3550)")
                .time("Last", media -> media.jitter().lastNs())
                .time("Mean", media -> media.jitter().meanNs())
                .time("Max", media -> media.jitter().maximumNs());
        addTail(columns.group("|IPDV| (RFC 3393)"), media -> media.ipdv().size());
        addTail(columns.group("PDV (RFC 5481)"), MediaMetrics::pdv);
        return rows.table("Delay variation", columns, MediaGroups.MEDIA);
    }

    private static void addTail(TableColumns<MediaMetrics> columns, Function<MediaMetrics, TailStatistics> tail) {
        columns.time("Median", media -> tail.apply(media).medianNs())
                .time("Q95", media -> tail.apply(media).q95Ns())
                .time("Q99", media -> tail.apply(media).q99Ns())
                .time("Q99.9", media -> tail.apply(media).q999Ns())
                .time("Max", media -> tail.apply(media).maximumNs());
    }

    private static Table pattern(PointRows rows) {
        TableColumns<MediaMetrics> media = new TableColumns<MediaMetrics>()
                .group("Loss (RFC 3357)")
                .misses("Lost", metrics -> metrics.loss().lost())
                .count("Periods", metrics -> metrics.loss().periodLengths().n())
                .mean("Mean length", "", metrics -> metrics.loss()
                        .periodLengths()
                        .mean())
                .mean("Longest", "", metrics -> metrics.loss().periodLengths().maximum())
                .percent("Noticeable", metrics -> metrics.loss().noticeableRate())
                .group("Reordering (RFC 4737)")
                .count("Packets", metrics -> metrics.reordering().reordered())
                .percent("Share", metrics -> metrics.reordering().ratio())
                .mean("Mean extent", "", metrics -> metrics.reordering()
                        .extents()
                        .mean())
                .mean("Max extent", "", metrics -> metrics.reordering()
                        .extents()
                        .maximum())
                .count("3-reordered", metrics -> metrics.reordering().threeReordered())
                .group("Copies (RFC 5560)")
                .percent("Share", metrics -> metrics.duplication().fraction())
                .percent("Replicated", metrics -> metrics.duplication().replicatedRate());
        TableColumns<Metrics> columns = new TableColumns<Metrics>()
                .count("Sent", metrics -> metrics.packets().sent())
                .addAll(media, metrics -> metrics.require(MediaGroups.MEDIA));
        return rows.table("Loss, reordering and copies", columns, List::of);
    }

    private static Table delivery(PointRows rows) {
        TableColumns<DeliveryIndex> columns = new TableColumns<DeliveryIndex>()
                .mean("Media rate", "packets/s", DeliveryIndex::packetsPerSecond)
                .count("Periods", DeliveryIndex::periods)
                .count("Silent periods", DeliveryIndex::silentPeriods)
                .count("Left out", DeliveryIndex::incompletePeriods)
                .group("Delay factor")
                .time("Mean", DeliveryIndex::delayFactorMeanNs)
                .time("Max", DeliveryIndex::delayFactorMaximumNs)
                .group("Media loss rate")
                .mean("Mean", "1/s", DeliveryIndex::mediaLossRateMean)
                .mean("Max", "1/s", DeliveryIndex::mediaLossRateMaximum);
        return rows.table("Media Delivery Index (RFC 4445)", columns, MediaGroups.MEDIA, media -> Stream.ofNullable(
                        media.deliveryIndex())
                .toList());
    }

    @Override
    protected List<String> notes(PointRows rows) {
        if (rows.summary().points().isEmpty()) {
            return List.of();
        }
        List<String> notes = new ArrayList<>();
        notes.add("Jitter: RFC 3550 §6.4.1 in the order of arrival, without rounding; its mean is the sum over all"
                + " arrived packets divided by their number, the first of each run (0) included. IPDV: the"
                + " absolute difference of the lags of packets sent one after the other. PDV: the lag above the"
                + " minimum of the run. A constant clock offset affects none of them."
                + " Quantiles by estimator R-7.");
        notes.add("A loss period is a sequence of consecutive lost packets. Noticeable: the share of losses at most "
                + LossPattern.DELTA + " packets after another (RFC 3357 §6.1). Extent: by how many positions a packet"
                + " arrived late. Copies: per arrived packet. Replicated: the share of packets with copies.");
        if (rows.any(point -> point.point().hasSchedule())) {
            notes.add("Media Delivery Index: over periods of 1 s, at the nominal rate of one packet, or burst, per pace"
                    + " interval. The delay factor is the duration of media that a buffer must hold. Left out: the last"
                    + " periods of runs that are not whole.");
        }
        if (rows.any(point -> !point.point().hasSchedule())) {
            notes.add("Floods have no Media Delivery Index: without a nominal rate no packet is early or late.");
        }
        return notes;
    }
}
