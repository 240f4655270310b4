package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.ClockFigures;
import org.lagbench.analysis.summary.Mark;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.report.table.ClockText;

/** Sentences below figures. */
final class Notes {
    private Notes() {}

    /** A count, with its thousands apart from 10 000 on. */
    static String count(long count) {
        return count < 10_000
                ? Long.toString(count)
                : String.format(Locale.ROOT, "%,d", count).replace(',', '\u00a0');
    }

    /** The least and the greatest of some counts, or the one that both are. */
    static String range(LongSummaryStatistics counts) {
        return (counts.getMin() == counts.getMax() ? "" : count(counts.getMin()) + " to ") + count(counts.getMax());
    }

    /** Packets sent of which none came: they have no lag. */
    static String lost(long lost) {
        return lost == 0
                ? ""
                : lost == 1
                        ? " 1 packet was lost and has no lag."
                        : " " + count(lost) + " packets were lost and have no lag.";
    }

    /** How far a lag may be off because of the clocks, and what the reader must know of them. */
    static String clock(ClockFigures clock) {
        String bound = clock.boundNs() == null
                ? "The clocks are not known to agree: lags may be off by any amount."
                : "Clock bound of each lag: " + ClockText.bound(clock) + ".";
        String accepted = clock.accepted().isEmpty() ? "" : " ACCEPTED UNSYNCHRONIZED.";
        return bound + accepted + marks(clock.marks());
    }

    /** The same of several points: the bound of each kind of clock, if they differ. */
    static String clocks(List<PointSummary> points) {
        Map<String, List<PointSummary>> byText = new TreeMap<>(points.stream()
                .collect(Collectors.groupingBy(point -> clock(point.pooled().clock()))));
        if (byText.size() == 1) {
            return byText.keySet().iterator().next();
        }
        boolean unknown =
                points.stream().anyMatch(point -> point.pooled().clock().boundNs() == null);
        if (unknown) {
            return "The clocks of some runs are not known to agree: their lags may be off by any amount.";
        }
        ClockFigures widest = points.get(0).pooled().clock();
        List<Mark> marks = new ArrayList<>();
        boolean accepted = false;
        for (PointSummary point : points) {
            ClockFigures clock = point.pooled().clock();
            Long boundNs = clock.boundNs();
            Long widestNs = widest.boundNs();
            if (boundNs != null && widestNs != null && boundNs > widestNs) {
                widest = clock;
            }
            marks.addAll(clock.marks());
            accepted |= !clock.accepted().isEmpty();
        }
        return "Clock bound of each lag: at most " + ClockText.bound(widest) + "."
                + (accepted ? " ACCEPTED UNSYNCHRONIZED: some runs." : "") + marks(marks);
    }

    private static String marks(List<Mark> marks) {
        return marks.stream()
                .map(Mark::sentence)
                .distinct()
                .map(sentence -> " ! " + sentence)
                .collect(Collectors.joining());
    }
}
