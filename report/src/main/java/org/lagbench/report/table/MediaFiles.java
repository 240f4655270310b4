package org.lagbench.report.table;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.DeliveryIndex;
import org.lagbench.analysis.media.Duplication;
import org.lagbench.analysis.media.LossPattern;
import org.lagbench.analysis.media.MediaFigures;
import org.lagbench.analysis.media.Reordering;
import org.lagbench.analysis.statistics.CountStatistics;
import org.lagbench.analysis.statistics.TailStatistics;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The multimedia metrics in files: all of them as JSON, and in the CSV what a column each can hold. */
final class MediaFiles {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The columns by name; those in µs end in "Us" and are given in ns. */
    private static final Map<String, ToDoubleFunction<MediaFigures>> COLUMNS = columns();

    private MediaFiles() {}

    private static Map<String, ToDoubleFunction<MediaFigures>> columns() {
        Map<String, ToDoubleFunction<MediaFigures>> columns = new LinkedHashMap<>();
        columns.put("jitterLastUs", media -> media.jitter().finalNs());
        columns.put("jitterMeanUs", media -> media.jitter().meanNs());
        columns.put("jitterMaximumUs", media -> media.jitter().maximumNs());
        columns.put("ipdvMinimumUs", media -> media.ipdv().signed().minimumNs());
        columns.put("ipdvMaximumUs", media -> media.ipdv().signed().maximumNs());
        putTail(columns, "ipdvSize", media -> media.ipdv().size());
        putTail(columns, "pdv", media -> media.pdv().statistics());
        columns.put("pdvMaximumUs", media -> media.pdv().statistics().maximumNs());
        columns.put("lossPeriods", media -> media.loss().periodLengths().n());
        columns.put(
                "lossPeriodLengthMean", media -> media.loss().periodLengths().mean());
        columns.put(
                "lossPeriodLengthMaximum", media -> media.loss().periodLengths().maximum());
        columns.put("lossDistanceMedian", media -> media.loss().distances().median());
        columns.put("lossNoticeableRate", media -> media.loss().noticeableRate());
        columns.put("reorderedRatio", media -> media.reordering().ratio());
        columns.put(
                "reorderingExtentMean", media -> media.reordering().extents().mean());
        columns.put(
                "reorderingExtentMaximum", media -> media.reordering().extents().maximum());
        columns.put("threeReordered", media -> media.reordering().threeReordered());
        columns.put("duplicationFraction", media -> media.duplication().fraction());
        columns.put("replicatedRate", media -> media.duplication().replicatedRate());
        columns.put("delayFactorMeanUs", media -> index(media, DeliveryIndex::delayFactorMeanNs));
        columns.put("delayFactorMaximumUs", media -> index(media, DeliveryIndex::delayFactorMaximumNs));
        columns.put("mediaLossRateMean", media -> index(media, DeliveryIndex::mediaLossMean));
        columns.put("mediaLossRateMaximum", media -> index(media, DeliveryIndex::mediaLossMaximum));
        return columns;
    }

    private static void putTail(
            Map<String, ToDoubleFunction<MediaFigures>> columns,
            String name,
            Function<MediaFigures, TailStatistics> tail) {
        columns.put(name + "MedianUs", media -> tail.apply(media).medianNs());
        columns.put(name + "Q95Us", media -> tail.apply(media).q95Ns());
        columns.put(name + "Q99Us", media -> tail.apply(media).q99Ns());
        columns.put(name + "Q999Us", media -> tail.apply(media).q999Ns());
    }

    private static double index(MediaFigures media, ToDoubleFunction<DeliveryIndex> figure) {
        DeliveryIndex index = media.delivery();
        return index == null ? Double.NaN : figure.applyAsDouble(index);
    }

    static void putCsv(Map<String, String> row, @Nullable MediaFigures media) {
        COLUMNS.forEach((name, column) ->
                row.put(name, media == null ? "" : Numbers.file(name.endsWith("Us"), column.applyAsDouble(media))));
    }

    static ObjectNode json(MediaFigures media) {
        ObjectNode node = JSON.createObjectNode();
        ObjectNode jitter = node.putObject("jitter");
        jitter.put("lastUs", us(media.jitter().finalNs()));
        jitter.put("meanUs", us(media.jitter().meanNs()));
        jitter.put("maximumUs", us(media.jitter().maximumNs()));
        ObjectNode ipdv = node.putObject("ipdv");
        ipdv.set("signed", tail(media.ipdv().signed()));
        ipdv.set("size", tail(media.ipdv().size()));
        ipdv.put("undefined", media.ipdv().undefined());
        node.set("pdv", tail(media.pdv().statistics()));
        LossPattern loss = media.loss();
        ObjectNode pattern = node.putObject("loss");
        pattern.put("lost", loss.lost());
        pattern.put("delta", LossPattern.DELTA);
        pattern.put("noticeable", loss.noticeable());
        pattern.put("noticeableRate", defined(loss.noticeableRate()));
        pattern.set("distances", counts(loss.distances()));
        pattern.set("periodLengths", counts(loss.periodLengths()));
        pattern.set("interPeriodLengths", counts(loss.interPeriodLengths()));
        Reordering reordering = media.reordering();
        ObjectNode order = node.putObject("reordering");
        order.put("reordered", reordering.reordered());
        order.put("ratio", defined(reordering.ratio()));
        order.set("extents", counts(reordering.extents()));
        order.put("threeReordered", reordering.threeReordered());
        order.put("greatestN", reordering.greatestN());
        Duplication duplication = media.duplication();
        ObjectNode copies = node.putObject("duplication");
        copies.put("copies", duplication.copies());
        copies.put("fraction", defined(duplication.fraction()));
        copies.put("replicated", duplication.replicated());
        copies.put("replicatedRate", defined(duplication.replicatedRate()));
        DeliveryIndex index = media.delivery();
        node.set("deliveryIndex", index == null ? JSON.nullNode() : delivery(index));
        return node;
    }

    private static ObjectNode delivery(DeliveryIndex index) {
        ObjectNode node = JSON.createObjectNode();
        node.put("packetsPerSecond", index.packetsPerSecond());
        node.put("periods", index.periods());
        node.put("silentPeriods", index.silentPeriods());
        node.put("delayFactorMeanUs", us(index.delayFactorMeanNs()));
        node.put("delayFactorMaximumUs", us(index.delayFactorMaximumNs()));
        node.put("mediaLossRateMean", defined(index.mediaLossMean()));
        node.put("mediaLossRateMaximum", index.mediaLossMaximum());
        return node;
    }

    private static ObjectNode tail(TailStatistics statistics) {
        ObjectNode node = JSON.createObjectNode();
        node.put("n", statistics.n());
        node.put("minimumUs", us(statistics.minimumNs()));
        node.put("meanUs", us(statistics.meanNs()));
        node.put("standardDeviationUs", us(statistics.standardDeviationNs()));
        node.put("medianUs", us(statistics.medianNs()));
        node.put("q95Us", us(statistics.q95Ns()));
        node.put("q99Us", us(statistics.q99Ns()));
        node.put("q999Us", us(statistics.q999Ns()));
        node.put("maximumUs", us(statistics.maximumNs()));
        return node;
    }

    private static ObjectNode counts(CountStatistics statistics) {
        ObjectNode node = JSON.createObjectNode();
        node.put("n", statistics.n());
        node.put("minimum", defined(statistics.minimum()));
        node.put("mean", defined(statistics.mean()));
        node.put("median", defined(statistics.median()));
        node.put("q95", defined(statistics.q95()));
        node.put("maximum", defined(statistics.maximum()));
        return node;
    }

    private static @Nullable Double us(double ns) {
        return defined(Numbers.us(ns));
    }

    private static @Nullable Double defined(double value) {
        return Double.isNaN(value) ? null : value;
    }
}
