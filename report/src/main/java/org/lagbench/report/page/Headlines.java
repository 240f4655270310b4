package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.analysis.cause.CauseMetrics;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.TailCauses;
import org.lagbench.analysis.cause.TailShare;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.LossOrder;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.report.page.Page.Headline;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.PointNames;
import org.lagbench.report.table.Warnings;

/** The answers of the first screen: the fastest network, the lag, its uncertainty, and the causes of the tail. */
final class Headlines {
    private static final int NAMED_CAUSES = 2;

    private final Summary summary;
    private final PointNames names;

    /** The points with lags. */
    private final List<PointSummary> points;

    private Headlines(Summary summary) {
        this.summary = summary;
        this.names = new PointNames(summary);
        this.points = summary.points().stream().filter(Headlines::hasLags).toList();
    }

    static List<Headline> of(Summary summary) {
        Headlines headlines = new Headlines(summary);
        if (headlines.points.isEmpty()) {
            return List.of(new Headline(
                    "What is the result?",
                    List.of(
                            summary.points().isEmpty()
                                    ? "None: no run completed. The list of excluded runs has the reasons."
                                    : "No packet arrived.")));
        }
        return List.of(
                new Headline("Which network?", headlines.network()),
                new Headline("How late?", headlines.late()),
                new Headline("How uncertain?", headlines.uncertain()),
                new Headline("What caused the tail?", headlines.tail()));
    }

    private <K> Map<K, List<PointSummary>> pointsBy(Function<PointKey, K> key) {
        return points.stream()
                .collect(Collectors.groupingBy(
                        point -> key.apply(point.point()), LinkedHashMap::new, Collectors.toList()));
    }

    /** Compares, for each packet size, the networks by their medians, each at its best point. */
    private List<String> network() {
        Set<String> networks = pointsBy(names::network).keySet();
        if (networks.size() == 1) {
            return List.of("Only " + networks.iterator().next() + " was measured.");
        }
        List<String> sentences = new ArrayList<>();
        pointsBy(PointKey::packetBytes).forEach((size, ofSize) -> {
            if (ofSize.stream()
                            .map(point -> names.network(point.point()))
                            .distinct()
                            .count()
                    > 1) {
                sentences.add(PointNames.bytes(size) + ": " + comparison(ofSize));
            }
        });
        return sentences.isEmpty() ? List.of("No two networks were measured with one packet size.") : sentences;
    }

    /** Ranks the points of one size by median lag. Points that lost a greater share of packets are only named. */
    private String comparison(List<PointSummary> ofSize) {
        List<PointSummary> best = bestOfEachNetwork(LossOrder.comparable(ofSize));
        PointSummary first = best.get(0);
        StringBuilder text = new StringBuilder(first.point().label());
        if (best.size() == 1) {
            text.append(" has a median lag of ").append(median(first));
        } else {
            PointSummary leastTail = Collections.min(best, Comparator.comparingDouble(Headlines::q99Ns));
            text.append(" has the least median lag, ")
                    .append(median(first))
                    .append(", compared with ")
                    .append(best.stream()
                            .skip(1)
                            .map(point ->
                                    median(point) + " with " + point.point().label())
                            .collect(Collectors.joining(" and ")))
                    .append(doubt(first, best.get(1)))
                    .append("; ")
                    .append(leastTail.point().label())
                    .append(" has the least 99 % quantile, ")
                    .append(Numbers.duration(q99Ns(leastTail)));
        }
        Set<String> ranked =
                best.stream().map(point -> names.network(point.point())).collect(Collectors.toSet());
        bestOfEachNetwork(ofSize).stream()
                .filter(point -> !ranked.contains(names.network(point.point())))
                .forEach(point -> text.append(". ")
                        .append(point.point().label())
                        .append(" is not ranked, because it lost more: ")
                        .append(median(point)));
        return text.append('.').toString();
    }

    /** Returns the point of each network with the least median, the least first. */
    private List<PointSummary> bestOfEachNetwork(List<PointSummary> ofSize) {
        return ofSize.stream()
                .sorted(Comparator.comparingDouble(point -> lag(point).medianNs()))
                .collect(Collectors.toMap(
                        point -> names.network(point.point()),
                        point -> point,
                        (first, other) -> first,
                        LinkedHashMap::new))
                .values()
                .stream()
                .toList();
    }

    /** Returns the median with the loss: "33.0 µs (none lost)". */
    private static String median(PointSummary point) {
        long lost = point.pooled().packets().lost();
        return Numbers.duration(lag(point).medianNs()) + " ("
                + (lost == 0 ? "none lost" : Warnings.loss(point) + " % lost") + ")";
    }

    /** Returns the reason if the order of the two medians is uncertain. */
    private static String doubt(PointSummary first, PointSummary second) {
        Long firstBound = first.pooled().clock().boundNs();
        Long secondBound = second.pooled().clock().boundNs();
        if (firstBound == null || secondBound == null) {
            return " (undecided, because the clocks are not known to agree)";
        }
        if (lag(second).medianNs() - lag(first).medianNs() <= (double) (firstBound + secondBound)) {
            return " (undecided, because the difference is within the clock bounds)";
        }
        return medians(first).getMax() >= medians(second).getMin() ? " (in single runs the order is reversed)" : "";
    }

    private List<String> late() {
        List<String> sentences = new ArrayList<>();
        pointsBy(names::network).forEach((network, points) -> {
            RunPacketCounts packets = points.stream()
                    .map(point -> point.pooled().packets())
                    .reduce(RunPacketCounts.NONE, RunPacketCounts::plus);
            boolean isOne = points.size() == 1;
            double greatest = points.stream()
                    .mapToDouble(point -> lag(point).maximumNs())
                    .max()
                    .orElse(Double.NaN);
            sentences.add(network + ": the " + (isOne ? "median is " : "medians of " + points.size() + " points are ")
                    + range(points.stream()
                            .mapToDouble(point -> lag(point).medianNs())
                            .summaryStatistics())
                    + (isOne ? ", the 99 % quantile " : ", their 99 % quantiles ")
                    + range(points.stream().mapToDouble(Headlines::q99Ns).summaryStatistics())
                    + ", the greatest lag " + Numbers.duration(greatest) + "; of " + Numbers.grouped(packets.sent())
                    + " packets " + (packets.lost() == 0 ? "none" : Numbers.grouped(packets.lost()))
                    + (packets.lost() <= 1 ? " was lost." : " were lost."));
        });
        return sentences;
    }

    private List<String> uncertain() {
        List<String> sentences = new ArrayList<>();
        // an unknown bound is the widest
        PointSummary widest = Collections.max(
                points,
                Comparator.comparing(point ->
                        Objects.requireNonNullElse(point.pooled().clock().boundNs(), Long.MAX_VALUE)));
        Long bound = widest.pooled().clock().boundNs();
        sentences.add(
                bound == null
                        ? "The clocks of the two sides are not known to agree (" + names.full(widest.point())
                                + "): lags may be off by any amount, but not inter-packet delays."
                        : "The clock bound of every lag is ± " + Numbers.duration((double) bound) + " or better ("
                                + Numbers.clockBases(widest.pooled().clock().bases()) + ").");
        long accepted = summary.points().stream()
                .mapToLong(point -> point.pooled().clock().accepted().size())
                .sum();
        if (accepted > 0) {
            sentences.add("Accepted unsynchronized: the clock bound exceeded the experiment's limit in "
                    + Numbers.grouped(accepted) + (accepted == 1 ? " run." : " runs."));
        }
        sentences.add(repeats());
        int excluded = summary.excluded().size();
        if (excluded > 0) {
            sentences.add((excluded == 1 ? "One run is" : Numbers.grouped(excluded) + " runs are")
                    + " excluded from all figures; the reasons are below.");
        }
        return sentences;
    }

    /** Returns the maximum difference between the medians of the runs of one point. */
    private String repeats() {
        return points.stream()
                .filter(point -> point.runs().size() > 1)
                .max(Comparator.comparingDouble(
                        point -> (medians(point).getMax() - medians(point).getMin())
                                / Math.abs(lag(point).medianNs())))
                .map(point -> "The medians of single runs differ most for " + names.full(point.point()) + ": "
                        + range(medians(point)) + " in " + point.runs().size() + " runs.")
                .orElse("Each point was measured once: the variation between repeats is not known.");
    }

    private List<String> tail() {
        List<String> sentences = new ArrayList<>();
        pointsBy(names::network).forEach((network, ofNetwork) -> {
            double all = 0;
            double tail = 0;
            for (PointSummary point : ofNetwork) {
                SeriesStatistics lag = lag(point);
                double kept = (double) (lag.n() - lag.withoutQ99().dropped());
                double sum = lag.meanNs() * (double) lag.n();
                all += sum;
                tail += sum - kept * lag.withoutQ99().meanNs();
            }
            if (all > 0 && tail > 0) {
                sentences.add(network + ": the slowest 1 % of packets have " + percent(tail / all) + " of the total lag"
                        + causes(ofNetwork) + ".");
            }
        });
        if (summary.points().stream().allMatch(point -> point.pooled().get(MetricGroup.CAUSES) == null)) {
            sentences.add("The causes were not recorded (observe: causes).");
        }
        return sentences;
    }

    /** Returns the causes with the greatest excess, as the end of a sentence. */
    private static String causes(List<PointSummary> points) {
        TailCauses tail = TailCauses.NONE;
        for (PointSummary point : points) {
            CauseMetrics causes = point.pooled().get(MetricGroup.CAUSES);
            if (causes == null) {
                return "";
            }
            tail = tail.plus(causes.lag());
        }
        double whole = tail.total().excessNs();
        if (whole <= 0) {
            return "";
        }
        List<Map.Entry<SideCause, TailShare>> greatest = tail.byCause().entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<SideCause, TailShare> entry) ->
                                -entry.getValue().excessNs())
                        .thenComparing(entry -> entry.getKey().toString()))
                .limit(NAMED_CAUSES)
                .toList();
        List<String> parts = new ArrayList<>();
        double others = whole - tail.unexplained().excessNs();
        for (Map.Entry<SideCause, TailShare> entry : greatest) {
            SideCause cause = entry.getKey();
            String program = cause.program() == null ? "" : " by " + cause.program();
            parts.add(cause.cause().title().toLowerCase(Locale.ROOT).replace("jit", "JIT") + program + " ("
                    + cause.side().text() + ") " + percent(entry.getValue().excessNs() / whole));
            others -= entry.getValue().excessNs();
        }
        if (tail.byCause().size() > greatest.size()) {
            parts.add("other causes " + percent(Math.max(0, others / whole)));
        }
        parts.add("unexplained " + percent(tail.unexplained().excessNs() / whole));
        return ". The causes of their excess over the median: " + String.join(", ", parts);
    }

    private static String range(DoubleSummaryStatistics ns) {
        String from = Numbers.duration(ns.getMin());
        String to = Numbers.duration(ns.getMax());
        return from.equals(to) ? from : from + " to " + to;
    }

    private static String percent(double fraction) {
        return Numbers.fixed(fraction < 0.0995 ? 1 : 0, 100 * fraction) + " %";
    }

    /** Returns the medians of the runs of a point that have lags. */
    private static DoubleSummaryStatistics medians(PointSummary point) {
        return point.runs().stream()
                .map(run -> run.metrics().series().get(Series.TRANSMIT_LAG))
                .filter(lag -> lag != null && !Double.isNaN(lag.medianNs()))
                .mapToDouble(SeriesStatistics::medianNs)
                .summaryStatistics();
    }

    private static boolean hasLags(PointSummary point) {
        SeriesStatistics lag = point.pooled().series().get(Series.TRANSMIT_LAG);
        return lag != null && lag.n() > 0;
    }

    private static double q99Ns(PointSummary point) {
        return lag(point).withoutQ99().quantileNs();
    }

    private static SeriesStatistics lag(PointSummary point) {
        return Objects.requireNonNull(point.pooled().series().get(Series.TRANSMIT_LAG));
    }
}
