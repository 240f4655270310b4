package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.lagbench.analysis.join.RunPacketCounts;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.analysis.summary.Summary;

/** What a reader must know before any metric: clocks that were set during runs, and lost packets. */
public final class Warnings {
    private static final int NAMED = 3;

    private Warnings() {}

    /** Returns the warnings of a session, a sentence or more each; none if no clock was set and no packet was lost. */
    public static List<String> of(Summary summary) {
        List<String> warnings = new ArrayList<>();
        addWithoutArrivals(summary, warnings);
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
        List<PointSummary> lossy = summary.points().stream()
                .filter(point -> point.pooled().packets().lost() > 0)
                .sorted(Comparator.comparingDouble(
                        point -> -lostShare(point.pooled().packets())))
                .toList();
        if (!lossy.isEmpty()) {
            List<String> shares = lossy.stream()
                    .map(point -> loss(point) + " % of " + names.full(point.point()))
                    .toList();
            warnings.add("Packets were lost: " + named(shares, "; ", "other points")
                    + ". Lags are of the packets that arrived.");
        }
        for (PointSummary point : lossy.subList(0, Math.min(NAMED, lossy.size()))) {
            String name = lossy.size() == 1 ? "" : names.full(point.point()) + ": ";
            LossReasons.of(point).forEach(reason -> warnings.add(name + reason));
        }
        return warnings;
    }

    private static void addWithoutArrivals(Summary summary, List<String> warnings) {
        for (boolean isBus : List.of(false, true)) {
            List<String> runs = summary.points().stream()
                    .filter(point -> point.point().isOnBus() == isBus)
                    .flatMap(point -> point.runs().stream())
                    .filter(run -> run.metrics().packets().received() == 0
                            && run.metrics().packets().sent() > 0)
                    .map(RunSummary::name)
                    .toList();
            if (!runs.isEmpty()) {
                warnings.add("No packet arrived in " + Numbers.grouped(runs.size())
                        + (runs.size() == 1 ? " run (" : " runs (") + named(runs, ", ", "others") + "). "
                        + (isBus ? "Are both ports on one bus?" : "Does a firewall block the packets?"));
            }
        }
    }

    /** Returns the lost share of a point's packets in percent: "0", "<0.01", "0.31", "72.1". */
    public static String loss(PointSummary point) {
        return loss(point.pooled().packets());
    }

    /** Returns the lost share of packets in percent. */
    public static String loss(RunPacketCounts packets) {
        double percent = 100 * lostShare(packets);
        return packets.lost() == 0
                ? "0"
                : percent < 0.01
                        ? "<0.01"
                        : packets.lost() < packets.sent() && percent > 99.9
                                ? ">99.9"
                                : Numbers.fixed(percent < 9.995 ? 2 : 1, percent);
    }

    private static double lostShare(RunPacketCounts packets) {
        return (double) packets.lost() / (double) Math.max(1, packets.sent());
    }

    /** Returns the first of many, and the number of the others. */
    private static String named(List<String> all, String separator, String others) {
        String first = all.stream().limit(NAMED).collect(Collectors.joining(separator));
        return all.size() <= NAMED ? first : first + separator + "and " + (all.size() - NAMED) + " " + others;
    }
}
