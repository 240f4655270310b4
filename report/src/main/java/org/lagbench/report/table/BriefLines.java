package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.LiveRun.LiveInterval;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RepeatIntervals;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Point;
import org.lagbench.core.text.Units;

/** Metrics in one line, for a glance, a terminal or a log. */
public final class BriefLines {
    private static final List<Metric<?>> METRICS = List.of(
            MainMetrics.ROUND_TRIP,
            MetricRegistry.of("roundTrip.q99"),
            MainMetrics.LAG,
            MetricRegistry.of("lag.q99"),
            MainMetrics.LOSS,
            MainMetrics.RECEIVE_RATE,
            MainMetrics.THROUGHPUT);

    private static final double MIN_WITH_A_DECIMAL = 0.95;

    private BriefLines() {}

    /**
     * Returns lines such as "UDP/IP, 992 bytes: transmit lag median 14.2 µs (13.9 µs to 14.8 µs), loss 0 %". An
     * interval has 95 % confidence over the runs; the line of a point with too few of them ends with their number.
     */
    public static List<String> of(Summary summary) {
        PointNames names = new PointNames(summary);
        return summary.points().stream()
                .map(point -> names.full(point.point()) + ": " + figures(point))
                .toList();
    }

    private static String figures(PointSummary point) {
        List<String> figures = new ArrayList<>();
        String title = "";
        for (Metric<?> metric : METRICS) {
            double value = point.value(metric);
            if (!Double.isNaN(value)) {
                String name = metric.title().equals(title) ? "" : lowerCase(metric.title()) + " ";
                title = metric.title();
                String number = metric.equals(MainMetrics.LOSS) ? Warnings.loss(point) + " %" : number(metric, value);
                figures.add(name + statistic(metric) + number + interval(metric, point));
            }
        }
        int runs = point.runs().size();
        if (runs < RepeatIntervals.MIN) {
            figures.add(runs == 1 ? "1 run" : runs + " runs");
        }
        return String.join(", ", figures);
    }

    /** Returns the interval of a metric over the runs; empty if there are too few. */
    private static String interval(Metric<?> metric, PointSummary point) {
        Interval interval = point.estimate(metric).interval();
        return interval.hasEnds()
                ? " (" + number(metric, interval.low()) + " to " + number(metric, interval.high()) + ")"
                : "";
    }

    private static String number(Metric<?> metric, double value) {
        return metric.unit().equals("µs")
                ? Numbers.duration(value * Units.NS_PER_US)
                : (value == 0 ? "0" : Numbers.rate(3, value)) + " " + metric.unit();
    }

    /** Returns the statistic of a metric that has several; a loss is always a share, and this rate a mean. */
    private static String statistic(Metric<?> metric) {
        boolean isOnly = metric.equals(MainMetrics.LOSS) || metric.equals(MainMetrics.RECEIVE_RATE);
        return isOnly
                ? ""
                : (metric.equals(MainMetrics.THROUGHPUT) ? metric.statistic() : lowerCase(metric.statistic())) + " ";
    }

    private static String lowerCase(String text) {
        return text.startsWith("Q") ? text : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    /**
     * Returns a second of a run: "3.0 s lag 14.2 µs, Q99 51.3 µs lost 0 received 8,000/s … sent 8,000/s …".
     *
     * @param columns the largest length, from which the last metrics are left out
     */
    public static String of(LiveInterval interval, Point point, int columns) {
        String ended = Numbers.fixed(1, interval.endedS()) + " s";
        if (interval.isFinishing(point.packets())) {
            return ended + "  finishing";
        }
        String sampled = interval.sampled() ? "≈ " : "";
        long lost = interval.received().lost();
        long late = interval.received().late();
        StringBuilder line = new StringBuilder(ended);
        for (String part : List.of(
                "  lag " + sampled + Numbers.duration(interval.medianNs()),
                ", Q99 " + sampled + Numbers.duration(interval.q99Ns()),
                "  lost " + Numbers.grouped(lost) + (lost == 0 ? "" : " (" + Numbers.percent(interval.loss()) + " %)"),
                late == 0 ? "" : ", late " + Numbers.grouped(late),
                "  received " + perS(interval.receivedPerS()),
                mbitPerS(interval, interval.receivedPerS()),
                "  sent " + perS(interval.sentPerS()),
                mbitPerS(interval, interval.sentPerS()))) {
            if (line.length() + part.length() > columns) {
                break;
            }
            line.append(part);
        }
        return line.toString();
    }

    private static String perS(double packetsPerS) {
        return Double.isNaN(packetsPerS) ? Numbers.NONE : Numbers.grouped(Math.round(packetsPerS)) + "/s";
    }

    private static String mbitPerS(LiveInterval interval, double packetsPerS) {
        double mbit = interval.mbitPerS(packetsPerS);
        return Double.isNaN(packetsPerS)
                ? ""
                : " " + (mbit > 0 && mbit < MIN_WITH_A_DECIMAL ? Numbers.rate(3, mbit) : Numbers.fixed(1, mbit))
                        + " Mbit/s";
    }
}
