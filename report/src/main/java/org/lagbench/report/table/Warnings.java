package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.FailedSends;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PacketLoss;
import org.lagbench.analysis.summary.PathMtu;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.RoundTrips;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.ArrivalQuestion;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.RunRecord.LabRecord;

/**
 * Warnings shown before any metric: runs that the machine spoiled, clocks that were set during runs, and lost packets,
 * with where they were lost by the counters of the runs, and what prevents it.
 */
public final class Warnings {
    /** The maximum number of runs and points that a warning names. */
    static final int NAMED = 3;

    private static final Pattern NUMBER = Pattern.compile("\\d[\\d,.]*(?<=\\d)");

    private Warnings() {}

    /** Returns the warnings of a session, a sentence or more each; none if nothing is wrong. */
    public static List<String> of(Summary summary) {
        List<String> warnings = new ArrayList<>(RunMarks.spoiling(summary));
        addWithoutArrivals(summary, warnings);
        addWithoutReplies(summary, warnings);
        List<String> stepped = summary.points().stream()
                .flatMap(point -> point.pooled().clock().stepped().stream())
                .toList();
        if (!stepped.isEmpty()) {
            long runs = summary.points().stream()
                    .mapToLong(point -> point.runs().size())
                    .sum();
            warnings.add("A clock was set, or its rate changed, during " + Numbers.grouped(stepped.size()) + " of "
                    + Numbers.grouped(runs) + (runs == 1 ? " run (" : " runs (") + named(stepped, ", ", "others")
                    + "). Lags of these runs are wrong by up to the step.");
        }
        PointNames names = new PointNames(summary);
        addUnknownLags(summary, names, warnings);
        warnings.addAll(WhatRan.lateness(summary));
        List<PointSummary> lossy = summary.points().stream()
                .filter(point -> point.pooled().loss().lost() > LossReasons.requestedLosses(point))
                .sorted(Comparator.comparingDouble(
                        point -> -point.pooled().loss().share()))
                .toList();
        for (boolean isAnswered : List.of(false, true)) {
            List<String> shares = lossy.stream()
                    .filter(point -> (point.pooled().lossBack() != null) == isAnswered)
                    .map(point -> loss(point) + " % of " + names.full(point.point()) + directions(point.pooled()))
                    .toList();
            if (!shares.isEmpty()) {
                warnings.add((isAnswered ? "Packets had no reply in time: " : "Packets were lost: ")
                        + named(shares, "; ", "other points")
                        + (isAnswered
                                ? ". Round trips are of the packets with a reply."
                                : ". Lags are of the packets that arrived."));
            }
        }
        Map<PointSummary, List<String>> reasons = new LinkedHashMap<>();
        lossy.forEach(point -> reasons.put(point, LossReasons.of(point)));
        addOnce(reasons, lossy.size() > 1, names, warnings);
        Map<PointSummary, List<String>> fragments = new LinkedHashMap<>();
        summary.points().forEach(point -> fragments.put(point, fragments(point)));
        addOnce(fragments, true, names, warnings);
        return warnings;
    }

    /**
     * Adds sentences on points with their names. Those that differ in numbers alone are one sentence, with the numbers
     * of the first.
     */
    private static void addOnce(
            Map<PointSummary, List<String>> sentences, boolean namesPoints, PointNames names, List<String> warnings) {
        Map<String, List<PointSummary>> points = new LinkedHashMap<>();
        Map<String, String> first = new LinkedHashMap<>();
        sentences.forEach((point, ofPoint) -> ofPoint.forEach(sentence -> {
            String words = NUMBER.matcher(sentence).replaceAll("");
            points.computeIfAbsent(words, key -> new ArrayList<>()).add(point);
            first.putIfAbsent(words, sentence);
        }));
        points.forEach((words, of) -> {
            List<String> others =
                    of.stream().skip(1).map(point -> names.full(point.point())).toList();
            warnings.add((namesPoints ? names.full(of.get(0).point()) + ": " : "")
                    + first.get(words)
                    + (others.isEmpty()
                            ? ""
                            : " Likewise, with other numbers: " + named(others, "; ", "others") + "."));
        });
    }

    /** Adds the points whose median lag is not above the bound of the clocks. */
    private static void addUnknownLags(Summary summary, PointNames names, List<String> warnings) {
        List<String> unknown = summary.points().stream()
                .filter(point -> !Double.isNaN(medianLagNs(point)))
                .filter(point -> {
                    Long boundNs = point.pooled().clock().boundNs();
                    return boundNs != null && Math.abs(medianLagNs(point)) <= boundNs;
                })
                .map(point -> names.full(point.point()) + " (median " + Numbers.duration(medianLagNs(point)) + " "
                        + Numbers.plusMinus(point.pooled().clock().boundNs()) + ")")
                .toList();
        if (!unknown.isEmpty()) {
            warnings.add("The clocks may differ by more than the lag: " + named(unknown, "; ", "other points")
                    + ". Such lags are not known, only their differences. Synchronize the clocks better (lagbench"
                    + " doctor), or measure --traffic round-trip.");
        }
    }

    private static double medianLagNs(PointSummary point) {
        SeriesStatistics lag = point.pooled().series().get(PacketDelay.TRANSMIT_LAG);
        return lag == null || lag.n() == 0 ? Double.NaN : lag.medianNs();
    }

    private static void addWithoutArrivals(Summary summary, List<String> warnings) {
        Map<String, List<String>> runs = new LinkedHashMap<>();
        for (PointSummary point : summary.points()) {
            MeasuredPoint of = point.point();
            PathMtu mtu = point.pooled().get(MetricGroup.PATH_MTU);
            String question =
                    of.isOnBus() ? ArrivalQuestion.ON_BUS : ArrivalQuestion.of(of.point(), mtu != null && mtu.isIpv6());
            point.runs().stream()
                    .filter(run -> run.metrics().packets().received() == 0
                            && run.metrics().packets().sent() > 0
                            && run.metrics().require(MetricGroup.LOSS_PLACES).isWayUnknown())
                    .forEach(run -> runs.computeIfAbsent(question, key -> new ArrayList<>())
                            .add(run.name()));
        }
        runs.forEach((question, names) -> warnings.add("No packet arrived in " + Numbers.grouped(names.size())
                + (names.size() == 1 ? " run (" : " runs (") + named(names, ", ", "others") + "). " + question));
    }

    /** Adds the runs whose packets arrived, but none of whose replies did. */
    private static void addWithoutReplies(Summary summary, List<String> warnings) {
        List<String> runs = summary.points().stream()
                .flatMap(point -> point.runs().stream())
                .filter(RunSummary::lacksReplies)
                .map(RunSummary::name)
                .toList();
        if (!runs.isEmpty()) {
            warnings.add("The packets arrived, but no reply came back in " + Numbers.grouped(runs.size())
                    + (runs.size() == 1 ? " run (" : " runs (") + named(runs, ", ", "others")
                    + "). Does a firewall or NAT block the replies?");
        }
    }

    /** Returns where packets without a reply in time were lost; empty if none is expected. */
    private static String directions(Metrics metrics) {
        PacketLoss back = metrics.lossBack();
        RoundTrips trips = metrics.get(MetricGroup.ROUND_TRIPS);
        return back == null || trips == null
                ? ""
                : " (" + loss(metrics.lossForward()) + " % lost forward, " + loss(back)
                        + " % of the replies lost back, "
                        + loss(new PacketLoss(trips.late(), metrics.packets().sent())) + " % late)";
    }

    /**
     * Returns the lost share of a point's packets in percent, in the sense of its traffic: "0", "<0.01", "0.31",
     * "72.1".
     */
    public static String loss(PointSummary point) {
        return loss(point.pooled().loss());
    }

    /** Returns the lost share of packets in percent, marked if there is any. */
    static String marked(PacketLoss packets) {
        return (packets.lost() == 0 ? "" : "! ") + loss(packets);
    }

    /** Returns the lost share of packets in percent. */
    public static String loss(PacketLoss packets) {
        double percent = 100 * packets.share();
        return packets.lost() == 0
                ? "0"
                : percent < 0.01
                        ? "<0.01"
                        : packets.lost() < packets.sent() && percent > 99.9
                                ? ">99.9"
                                : Numbers.fixed(percent < 9.995 ? 2 : 1, percent);
    }

    /** Returns the first of many, and the number of the others. */
    static String named(List<String> all, String separator, String others) {
        String first = all.stream().limit(NAMED).collect(Collectors.joining(separator));
        return all.size() <= NAMED ? first : first + separator + "and " + (all.size() - NAMED) + " " + others;
    }

    /** Returns a sentence on packets that were cut into IP fragments. */
    private static List<String> fragments(PointSummary point) {
        PathMtu mtu = point.pooled().get(MetricGroup.PATH_MTU);
        FailedSends failed = point.pooled().get(MetricGroup.FAILED_SENDS);
        boolean isRefused = failed != null && failed.packets().containsKey(PacketError.EMSGSIZE.name());
        return mtu == null || mtu.fragments() == 1 || isRefused
                ? List.of()
                : List.of("packets do not fit the path's MTU of "
                        + Numbers.grouped(mtu.bytes()) + " bytes. Each was fragmented into " + mtu.fragments()
                        + " IP packets, and is lost if one of them is.");
    }

    /** Returns the emulated networks of the runs of a point. */
    static List<LabRecord> labs(PointSummary point) {
        return point.runs().stream()
                .map(RunSummary::lab)
                .filter(Objects::nonNull)
                .toList();
    }
}
