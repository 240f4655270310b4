package org.lagbench.report.chart;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.ClockEffect;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.report.table.Numbers;

/** Sentences below charts. */
public final class Notes {
    private Notes() {}

    /** Returns the note below a chart of one run's lags. */
    static String lags(RunView view, long packets) {
        return "Run " + view.summary().name() + ": lag of " + Numbers.grouped(packets) + " packets, nothing removed."
                + lost(view.run().counts().lost()) + " " + clock(view);
    }

    /**
     * Returns the note of a chart of the pooled lags of points.
     *
     * @param packets the number of each element of the chart
     * @param element such as "box"
     */
    static String pooled(ChartContext context, Collection<PointSummary> points, LongStream packets, String element) {
        LongSummaryStatistics range = packets.summaryStatistics();
        String min = range.getMin() == range.getMax() ? "" : Numbers.grouped(range.getMin()) + " to ";
        long lost = points.stream()
                .mapToLong(point -> point.pooled().packets().lost())
                .sum();
        return context.session() + ": n = " + min + Numbers.grouped(range.getMax()) + " packets per " + element
                + ", repeats pooled, nothing removed." + lost(lost) + " " + clocks(points);
    }

    private static String lost(long lost) {
        return lost == 0
                ? ""
                : lost == 1
                        ? " 1 packet was lost and has no lag."
                        : " " + Numbers.grouped(lost) + " packets were lost and have no lag.";
    }

    /** Returns the uncertainty of a run's lags because of the clocks, in files with the clocks' marks. */
    static String clock(RunView view) {
        ClockEffect clock = view.summary().metrics().clock();
        return view.isZoomable() ? bound(clock) : clock(clock);
    }

    /** Returns the uncertainty of lags because of the clocks, with the clocks' marks. */
    private static String clock(ClockEffect clock) {
        return bound(clock) + marks(clock.marks().stream());
    }

    private static String bound(ClockEffect clock) {
        String bound = clock.boundNs() == null
                ? "The clocks are not known to agree: lags may be off by any amount."
                : "Clock bound of each lag: " + withRate(clock) + ".";
        String accepted = clock.accepted().isEmpty() ? "" : " ACCEPTED UNSYNCHRONIZED.";
        return bound + accepted;
    }

    private static String withRate(ClockEffect clock) {
        return Numbers.clockBound(clock) + ", plus " + Numbers.CLOCK_RATE + " of the lag";
    }

    /** Returns the uncertainty of the lags of several points, with the largest bound if they differ. */
    static String clocks(Collection<PointSummary> points) {
        return clocksWithoutMarks(points)
                + marks(points.stream().flatMap(point -> point.pooled().clock().marks().stream()));
    }

    /** Returns the uncertainty of the lags of several points because of the clocks, for a page. */
    public static String clocksWithoutMarks(Collection<PointSummary> points) {
        List<ClockEffect> clocks =
                points.stream().map(point -> point.pooled().clock()).toList();
        List<String> texts = clocks.stream().map(Notes::bound).distinct().toList();
        if (texts.size() == 1) {
            return texts.get(0);
        }
        if (clocks.stream().anyMatch(clock -> clock.boundNs() == null)) {
            return "The clocks of some runs are not known to agree: their lags may be off by any amount.";
        }
        ClockEffect widest =
                Collections.max(clocks, Comparator.comparing(clock -> Objects.requireNonNullElse(clock.boundNs(), 0L)));
        boolean isAccepted = clocks.stream().anyMatch(clock -> !clock.accepted().isEmpty());
        return "Clock bound of each lag: at most " + withRate(widest) + "."
                + (isAccepted ? " ACCEPTED UNSYNCHRONIZED: some runs." : "");
    }

    private static String marks(Stream<RunMark> marks) {
        return marks.map(RunMark::sentence)
                .distinct()
                .map(sentence -> " ! " + sentence)
                .collect(Collectors.joining());
    }
}
