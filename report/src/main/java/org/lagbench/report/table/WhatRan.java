package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.text.Units;

/** Sentences above tables about what ran: transports, packets, pace and engines; and whether the pace was kept. */
final class WhatRan {
    /** The share of the scheduled rate from which a pace counts as kept. */
    private static final double KEPT = 0.97;

    private WhatRan() {}

    /** Returns the sentences on the runs of a summary; none without points, or if all are transfers. */
    static List<String> of(Summary summary) {
        List<String> sentences = new ArrayList<>();
        List<PointSummary> points = summary.points().stream()
                .filter(point -> point.point().transfer() == null)
                .toList();
        if (points.isEmpty()) {
            return sentences;
        }
        sentences.add(distinct(points, MeasuredPoint::transportTitle, ", ") + ": " + packets(points) + ", "
                + distinct(points, WhatRan::pace, " or ") + rates(points) + ", engine "
                + distinct(points, MeasuredPoint::engine, ", ") + ".");
        return sentences;
    }

    /** Returns warnings of points that did not keep their pace, or sent packets late: a sentence for each kind. */
    static List<String> lateness(Summary summary) {
        PointNames names = new PointNames(summary);
        List<PointSummary> points = summary.points().stream()
                .filter(point -> point.point().transfer() == null)
                .toList();
        List<String> slow = points.stream()
                .filter(WhatRan::isTooSlow)
                .map(point -> names.full(point.point()) + " sent " + Numbers.grouped(0, sent(point))
                        + " packets/s instead of " + Numbers.grouped(0, scheduled(point.point())))
                .toList();
        List<String> late = points.stream()
                .filter(point -> !isTooSlow(point) && isLate(point))
                .map(point -> names.full(point.point()) + " sent 1 % of them at least "
                        + Numbers.duration(latenessNs(point)) + " after their scheduled times")
                .toList();
        List<String> warnings = new ArrayList<>();
        if (!slow.isEmpty()) {
            warnings.add("The pace was not kept: " + Warnings.named(slow, "; ", "other points") + ".");
        }
        if (!late.isEmpty()) {
            warnings.add("Packets left late: " + Warnings.named(late, "; ", "other points")
                    + ", more than an interval. Lags do not include this, the lag from the scheduled time does"
                    + " (--all-series).");
        }
        return warnings;
    }

    private static String distinct(List<PointSummary> points, Function<MeasuredPoint, String> text, String separator) {
        return points.stream()
                .map(point -> text.apply(point.point()))
                .distinct()
                .collect(Collectors.joining(separator));
    }

    private static String packets(List<PointSummary> points) {
        LongSummaryStatistics counts = points.stream()
                .flatMap(point -> point.runs().stream())
                .map(RunSummary::metrics)
                .mapToLong(metrics -> metrics.packets().sent())
                .summaryStatistics();
        LongSummaryStatistics bytes =
                points.stream().mapToLong(point -> point.point().packetBytes()).summaryStatistics();
        long runs = counts.getCount();
        return (runs == 1 ? "" : Numbers.grouped(runs) + " runs of ") + range(counts) + " packets of " + range(bytes)
                + " bytes";
    }

    private static String range(LongSummaryStatistics values) {
        return values.getMin() == values.getMax()
                ? Numbers.grouped(values.getMin())
                : Numbers.grouped(values.getMin()) + " to " + Numbers.grouped(values.getMax());
    }

    /** Returns the pace: "one each 125 µs", "16 each 1 ms", "as fast as possible". */
    private static String pace(MeasuredPoint point) {
        return !point.hasSchedule()
                ? "as fast as possible"
                : (point.paceBurst() == 1 ? "one" : Numbers.grouped(point.paceBurst())) + " each "
                        + Durations.format(point.paceIntervalNs())
                                .replaceFirst("(?=[a-z])", " ")
                                .replace("us", "µs");
    }

    /** Returns the scheduled rates: " (1.54 to 63.5 Mbit/s)"; empty for floods. */
    private static String rates(List<PointSummary> points) {
        DoubleSummaryStatistics rates = points.stream()
                .map(PointSummary::point)
                .filter(MeasuredPoint::hasSchedule)
                .mapToDouble(point -> scheduled(point) * point.packetBytes() * Byte.SIZE / Units.BITS_PER_MBIT)
                .summaryStatistics();
        if (rates.getCount() == 0) {
            return "";
        }
        String highest = Numbers.rate(3, rates.getMax());
        return " (" + (rates.getMin() == rates.getMax() ? "" : Numbers.rate(3, rates.getMin()) + " to ") + highest
                + " Mbit/s)";
    }

    private static double scheduled(MeasuredPoint point) {
        return point.paceBurst() * Units.NS_PER_S / point.paceIntervalNs();
    }

    private static double sent(PointSummary point) {
        return point.pooled().require(MetricGroup.RATES).sent().packetsPerS();
    }

    /** A ping-pong may wait for its replies, and the rate of bursts counts one interval less than the schedule. */
    private static boolean isTooSlow(PointSummary point) {
        return point.point().hasSchedule() && sent(point) < KEPT * scheduled(point.point());
    }

    private static boolean isLate(PointSummary point) {
        return point.point().hasSchedule()
                && latenessNs(point) > (double) point.point().paceIntervalNs();
    }

    /** Returns the 99 % quantile; NaN without packets. */
    private static double latenessNs(PointSummary point) {
        SeriesStatistics lateness = point.pooled().series().get(PacketDelay.LATENESS);
        return lateness == null ? Double.NaN : lateness.withoutQ99().quantileNs();
    }
}
