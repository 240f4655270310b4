package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.CauseFigures;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.TailCauses;
import org.lagbench.analysis.cause.TailShare;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.report.table.ClockText;
import org.lagbench.report.table.PointNames;

/** What the page says first, in words with figures: which transport, how late, how uncertain, what made the tail. */
final class Headlines {
    private static final int CAUSES_NAMED = 2;

    private final Summary summary;
    private final PointNames names;

    private Headlines(Summary summary) {
        this.summary = summary;
        this.names = new PointNames(
                summary.points().stream().map(PointSummary::point).toList());
    }

    static List<Headline> of(Summary summary) {
        if (summary.points().stream().noneMatch(Headlines::hasLags)) {
            return List.of(new Headline(
                    "What was found?",
                    List.of(
                            summary.points().isEmpty()
                                    ? "Nothing: no run came to its end. See the excluded runs for why."
                                    : "No packet came.")));
        }
        Headlines answers = new Headlines(summary);
        return List.of(
                new Headline("Which transport?", answers.transport()),
                new Headline("How late?", answers.late()),
                new Headline("How uncertain?", answers.uncertain()),
                new Headline("What made the tail?", answers.tail()));
    }

    /** For each packet size, the transports in the order of their medians, each at the point where it is least. */
    private List<String> transport() {
        if (byTransport().size() == 1) {
            return List.of("Only " + byTransport().keySet().iterator().next() + " was measured.");
        }
        Map<Integer, List<PointSummary>> bySize = new LinkedHashMap<>();
        for (PointSummary point : withLags()) {
            bySize.computeIfAbsent(point.point().packetBytes(), size -> new ArrayList<>())
                    .add(point);
        }
        List<String> sentences = new ArrayList<>();
        bySize.forEach((size, points) -> {
            List<PointSummary> best = bestOfEachTransport(points);
            if (best.size() > 1) {
                sentences.add(comparison(size, best));
            }
        });
        return sentences.isEmpty() ? List.of("No two transports were measured at one packet size.") : sentences;
    }

    private static List<PointSummary> bestOfEachTransport(List<PointSummary> points) {
        Map<String, PointSummary> best = new LinkedHashMap<>();
        for (PointSummary point : points) {
            best.merge(
                    point.point().transportTitle(),
                    point,
                    (left, right) -> lag(left).medianNs() <= lag(right).medianNs() ? left : right);
        }
        return best.values().stream()
                .sorted(Comparator.comparingDouble(point -> lag(point).medianNs()))
                .toList();
    }

    private static String comparison(int size, List<PointSummary> best) {
        PointSummary first = best.get(0);
        List<String> others = best.stream()
                .skip(1)
                .map(point -> HumanFormat.duration(lag(point).medianNs()) + " with "
                        + point.point().transportTitle())
                .toList();
        PointSummary leastTail = best.stream()
                .min(Comparator.comparingDouble(point -> lag(point).withoutQ99().quantileNs()))
                .orElse(first);
        return PointNames.bytes(size) + ": " + first.point().transportTitle() + " has the least median lag, "
                + HumanFormat.duration(lag(first).medianNs()) + ", against " + String.join(" and ", others)
                + doubt(best)
                + "; " + leastTail.point().transportTitle() + " has the least 99 % quantile, "
                + HumanFormat.duration(lag(leastTail).withoutQ99().quantileNs()) + ".";
    }

    /** What must be said if the medians of the first two may stand in the other order. */
    private static String doubt(List<PointSummary> best) {
        Figures first = best.get(0).pooled();
        Figures second = best.get(1).pooled();
        Long firstBound = first.clock().boundNs();
        Long secondBound = second.clock().boundNs();
        if (firstBound == null || secondBound == null) {
            return " (the clocks are not known to agree, which leaves this open)";
        }
        double difference = lag(best.get(1)).medianNs() - lag(best.get(0)).medianNs();
        if (difference <= (double) (firstBound + secondBound)) {
            return " (less apart than the clock bounds, which leaves this open)";
        }
        return greatestMedianNs(best.get(0)) >= leastMedianNs(best.get(1))
                ? " (single runs stand the other way round)"
                : "";
    }

    private List<String> late() {
        List<String> sentences = new ArrayList<>();
        byTransport().forEach((title, points) -> {
            List<SeriesStatistics> lags = points.stream().map(Headlines::lag).toList();
            RunPacketCounts packets = points.stream()
                    .map(point -> point.pooled().packets())
                    .reduce(RunPacketCounts.NONE, RunPacketCounts::plus);
            sentences.add(title + ": half of the packets came within "
                    + range(lags, SeriesStatistics::medianNs) + ", 99 % within "
                    + range(lags, lag -> lag.withoutQ99().quantileNs()) + ", the last after "
                    + HumanFormat.duration(lags.stream()
                            .mapToDouble(SeriesStatistics::maximumNs)
                            .max()
                            .orElse(Double.NaN))
                    + "; " + lost(packets) + ".");
        });
        return sentences;
    }

    private static String lost(RunPacketCounts packets) {
        return (packets.lost() == 0 ? "none" : HumanFormat.count(packets.lost())) + " of "
                + HumanFormat.count(packets.sent()) + (packets.lost() == 1 ? " was lost" : " were lost");
    }

    private List<String> uncertain() {
        List<String> sentences = new ArrayList<>();
        PointSummary widest = null;
        for (PointSummary point : withLags()) {
            Long bound = point.pooled().clock().boundNs();
            if (bound == null) {
                widest = point;
                break;
            }
            Long widestBound = widest == null ? null : widest.pooled().clock().boundNs();
            widest = widestBound == null || bound > widestBound ? point : widest;
        }
        sentences.add(bound(Objects.requireNonNull(widest)));
        List<String> accepted = summary.points().stream()
                .flatMap(point -> point.pooled().clock().accepted().stream())
                .toList();
        if (!accepted.isEmpty()) {
            sentences.add("Accepted unsynchronized: " + HumanFormat.count(accepted.size())
                    + " runs were made although the clock bound was over the experiment's limit.");
        }
        sentences.add(repeats());
        if (!summary.excluded().isEmpty()) {
            sentences.add(
                    summary.excluded().size() == 1
                            ? "One run is in no figure; it is told below why."
                            : HumanFormat.count(summary.excluded().size())
                                    + " runs are in no figure; it is told below why.");
        }
        return sentences;
    }

    private String bound(PointSummary widest) {
        Long bound = widest.pooled().clock().boundNs();
        return bound == null
                ? "It was not established that the clocks of both sides agree (" + names.full(widest.point())
                        + "): lags may be off by any amount, inter-packet delays are not."
                : "By the clocks, every lag is known to ± " + HumanFormat.duration((double) bound) + " or better ("
                        + ClockText.bases(widest.pooled().clock().bases()) + ").";
    }

    /** How far the medians of single runs of one point are apart, where that is most. */
    private String repeats() {
        PointSummary most = null;
        double mostSpread = -1;
        for (PointSummary point : withLags()) {
            double spread = (greatestMedianNs(point) - leastMedianNs(point))
                    / Math.abs(lag(point).medianNs());
            if (point.runs().size() > 1 && spread > mostSpread) {
                most = point;
                mostSpread = spread;
            }
        }
        return most == null
                ? "Each point was measured once: how far a repeat would differ is not known."
                : "The medians of single runs of one point differ most with " + names.full(most.point()) + ": "
                        + HumanFormat.range(leastMedianNs(most), greatestMedianNs(most)) + " in "
                        + most.runs().size() + " runs.";
    }

    private List<String> tail() {
        List<String> sentences = new ArrayList<>();
        byTransport().forEach((title, points) -> {
            double all = 0;
            double tail = 0;
            for (PointSummary point : points) {
                SeriesStatistics lag = lag(point);
                double kept = (double) (lag.n() - lag.withoutQ99().dropped());
                double sum = lag.meanNs() * (double) lag.n();
                all += sum;
                tail += sum - kept * lag.withoutQ99().meanNs();
            }
            if (all > 0 && tail > 0) {
                sentences.add(title + ": the slowest 1 % of packets hold " + HumanFormat.percent(tail / all)
                        + " of the whole lag" + causes(points) + ".");
            }
        });
        if (summary.points().stream().allMatch(point -> point.pooled().causes() == null)) {
            sentences.add("What made them slow was not recorded (observe: causes).");
        }
        return sentences;
    }

    /** The greatest causes of the tails by the time that they made, as the end of a sentence. */
    private static String causes(List<PointSummary> points) {
        TailCauses tail = TailCauses.NONE;
        for (PointSummary point : points) {
            CauseFigures causes = point.pooled().causes();
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
                .limit(CAUSES_NAMED)
                .toList();
        List<String> parts = new ArrayList<>();
        double others = whole - tail.unexplained().excessNs();
        for (Map.Entry<SideCause, TailShare> entry : greatest) {
            SideCause what = entry.getKey();
            parts.add(what.cause().title().toLowerCase(Locale.ROOT).replace("jit", "JIT") + " ("
                    + what.side().text() + ") "
                    + HumanFormat.percent(entry.getValue().excessNs() / whole));
            others -= entry.getValue().excessNs();
        }
        if (tail.byCause().size() > greatest.size()) {
            parts.add("other causes " + HumanFormat.percent(Math.max(0, others / whole)));
        }
        parts.add("unexplained " + HumanFormat.percent(tail.unexplained().excessNs() / whole));
        return ". What they took beyond the median came of: " + String.join(", ", parts);
    }

    private List<PointSummary> withLags() {
        return summary.points().stream().filter(Headlines::hasLags).toList();
    }

    private Map<String, List<PointSummary>> byTransport() {
        Map<String, List<PointSummary>> points = new LinkedHashMap<>();
        for (PointSummary point : withLags()) {
            points.computeIfAbsent(point.point().transportTitle(), title -> new ArrayList<>())
                    .add(point);
        }
        return points;
    }

    private static String range(Collection<SeriesStatistics> lags, ToDoubleFunction<SeriesStatistics> figure) {
        return HumanFormat.range(
                lags.stream().mapToDouble(figure).min().orElse(Double.NaN),
                lags.stream().mapToDouble(figure).max().orElse(Double.NaN));
    }

    private static double leastMedianNs(PointSummary point) {
        return point.runs().stream()
                .mapToDouble(run -> medianNs(run))
                .filter(median -> !Double.isNaN(median))
                .min()
                .orElse(Double.NaN);
    }

    private static double greatestMedianNs(PointSummary point) {
        return point.runs().stream()
                .mapToDouble(run -> medianNs(run))
                .filter(median -> !Double.isNaN(median))
                .max()
                .orElse(Double.NaN);
    }

    private static double medianNs(RunSummary run) {
        SeriesStatistics lag = run.figures().series().get(Series.TRANSMIT_LAG);
        return lag == null ? Double.NaN : lag.medianNs();
    }

    private static boolean hasLags(PointSummary point) {
        @Nullable SeriesStatistics lag = point.pooled().series().get(Series.TRANSMIT_LAG);
        return lag != null && lag.n() > 0;
    }

    private static SeriesStatistics lag(PointSummary point) {
        return Objects.requireNonNull(point.pooled().series().get(Series.TRANSMIT_LAG));
    }
}
