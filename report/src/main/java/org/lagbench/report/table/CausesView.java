package org.lagbench.report.table;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.CauseMetrics;
import org.lagbench.analysis.cause.CauseMetrics.LossCauses;
import org.lagbench.analysis.cause.CauseMetrics.StampCounts;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.cause.TailCauses;
import org.lagbench.analysis.cause.TailCauses.TailShare;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary.DamagedFile;
import org.lagbench.core.run.DecidedObservation;
import org.lagbench.core.text.Units;

/** The share of each cause in the tail of the lag, by packets and by excess time, and the causes of losses. */
final class CausesView {
    /** Rows of causes for each point, unless all are requested. */
    private static final int LARGEST = 5;

    private static final String UNEXPLAINED = "Unexplained";

    private record CauseShare(String cause, String side, TailShare share, TailShare total) {
        /** The share of the excess that is printed as 0.0 %. */
        private static final double ZERO_EXCESS = 0.0005;

        boolean isZero() {
            return share.packets() == 0 && share.excessNs() < ZERO_EXCESS * total.excessNs();
        }
    }

    private CausesView() {}

    static List<Table> tables(PointRows rows) {
        List<Table> tables = new ArrayList<>();
        tables.add(tail(rows, "Transmit lag", CauseMetrics::lag));
        tables.add(tail(rows, "Lag from the scheduled time", CauseMetrics::lagFromSchedule));
        if (rows.pooled(MetricGroup.CAUSES).stream()
                .anyMatch(causes -> causes.losses().lost() > 0)) {
            tables.add(losses(rows));
        }
        return tables;
    }

    /** Returns the quantile at which the tail begins, in percent. */
    private static BigDecimal percent(PointRows rows) {
        return rows.pooled(MetricGroup.CAUSES).stream()
                .findFirst()
                .map(CauseMetrics::tail)
                .orElse(Tail.DEFAULT)
                .percent();
    }

    private static Table tail(PointRows rows, String lag, Function<CauseMetrics, @Nullable TailCauses> tail) {
        TableColumns<CauseShare> columns = new TableColumns<CauseShare>()
                .text("Cause", CauseShare::cause)
                .text("Side", CauseShare::side)
                .group("Packets")
                .count("Number", row -> row.share().packets())
                .number(
                        "Share",
                        "%",
                        row -> percent((double) row.share().packets(), (double)
                                row.total().packets()))
                .group("Excess over the median")
                .number("Sum", "ms", row -> Numbers.grouped(3, row.share().excessNs() / Units.NS_PER_MS))
                .number(
                        "Share",
                        "%",
                        row -> percent(row.share().excessNs(), row.total().excessNs()));
        return rows.table(
                lag + " above Q" + percent(rows) + ", by cause",
                columns,
                MetricGroup.CAUSES,
                causes -> rows.view().zeros()
                        ? shares(tail.apply(causes), cause -> cause)
                        : largest(shares(tail.apply(causes), SideCause::grouped).stream()
                                .filter(row -> !row.isZero())
                                .toList()));
    }

    /** Returns the largest causes and the unexplained rest; the other causes are one row. */
    private static List<CauseShare> largest(List<CauseShare> shares) {
        List<CauseShare> causes =
                shares.stream().filter(row -> !row.cause().equals(UNEXPLAINED)).toList();
        if (causes.size() <= LARGEST + 1) {
            return shares;
        }
        List<CauseShare> others = causes.subList(LARGEST, causes.size());
        List<CauseShare> rows = new ArrayList<>(causes.subList(0, LARGEST));
        rows.add(new CauseShare(
                "Others (" + others.size() + ")",
                Numbers.NONE,
                others.stream().map(CauseShare::share).reduce(TailShare.NONE, TailShare::plus),
                others.get(0).total()));
        shares.stream().filter(row -> row.cause().equals(UNEXPLAINED)).forEach(rows::add);
        return rows;
    }

    /** Returns the causes by excess, the largest first, and the unexplained rest. */
    private static List<CauseShare> shares(@Nullable TailCauses tail, UnaryOperator<SideCause> shown) {
        if (tail == null) {
            return List.of();
        }
        TailShare total = tail.total();
        Map<List<String>, TailShare> byName = new LinkedHashMap<>(); // threads of one title are one row
        tail.byCause()
                .forEach((cause, share) -> byName.merge(
                        List.of(shown.apply(cause).title(), cause.side().text()), share, TailShare::plus));
        List<CauseShare> shares = new ArrayList<>();
        byName.forEach((name, share) -> shares.add(new CauseShare(name.get(0), name.get(1), share, total)));
        shares.sort(Comparator.comparingDouble((CauseShare row) -> row.share().excessNs())
                .reversed());
        shares.add(new CauseShare(UNEXPLAINED, Numbers.NONE, tail.unexplained(), total));
        return shares;
    }

    private static Table losses(PointRows rows) {
        TableColumns<LossCauses> columns = new TableColumns<LossCauses>()
                .count("Lost", LossCauses::lost)
                .count("By kernel drop", LossCauses::byKernelDrop)
                .count("Damaged", LossCauses::damaged)
                .text("Reasons", losses -> reasons(losses.dropReasons()))
                .count("Unexplained", LossCauses::unexplained);
        return rows.table("Lost packets, by cause", columns, MetricGroup.CAUSES, causes -> List.of(causes.losses()));
    }

    /** Returns the kernel's reasons, the most frequent first: "SOCKET_RCVBUFF 12, NO_SOCKET 1". */
    static String reasons(Map<String, Long> packets) {
        return packets.isEmpty()
                ? Numbers.NONE
                : packets.entrySet().stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                        .map(reason -> reason.getKey() + " " + Numbers.grouped(reason.getValue()))
                        .collect(Collectors.joining(", "));
    }

    /** Returns which stamps prove whether a packet had reached the receiver. */
    private static List<String> stamps(PointRows rows) {
        List<StampCounts> counts = rows.pooled(MetricGroup.CAUSES).stream()
                .map(CauseMetrics::stamps)
                .toList();
        long arrivals = sum(counts, StampCounts::arrivals);
        long stamped = sum(counts, StampCounts::stamped);
        long joined = sum(counts, StampCounts::joined);
        long assumed = sum(counts, StampCounts::assumed);
        List<String> notes = new ArrayList<>();
        notes.add("The receiving kernel stamped " + Numbers.grouped(stamped + joined) + " of "
                + Numbers.grouped(arrivals) + " arrivals: until its stamp a packet was before the receiver.");
        if (joined > 0) {
            notes.add(Numbers.grouped(joined) + " of them share the stamp of a later packet, because one read of the"
                    + " stream took both: where they were between that stamp and the one before is not known.");
        }
        if (assumed > 0) {
            notes.add(Numbers.grouped(assumed) + " arrivals without a stamp are of runs without a network between the"
                    + " sides (a loopback address): their delay after the send call counts at the receiver, except for"
                    + " stops of the sender's process.");
        }
        if (stamped + joined + assumed < arrivals) {
            notes.add(Numbers.grouped(arrivals - stamped - joined - assumed) + " arrivals without a stamp crossed a"
                    + " network: no event at the receiver explains their delay.");
        }
        return notes;
    }

    private static long sum(List<StampCounts> counts, ToLongFunction<StampCounts> count) {
        return counts.stream().mapToLong(count).sum();
    }

    private static String percent(double part, double whole) {
        return whole == 0 ? Numbers.NONE : Numbers.fixed(1, 100 * part / whole);
    }

    static List<String> notes(PointRows rows) {
        List<RunSummary> runs = rows.summary().points().stream()
                .flatMap(point -> point.runs().stream())
                .toList();
        boolean hasRows = !rows.pooled(MetricGroup.CAUSES).isEmpty()
                || (rows.view().everyRun() && runs.stream().anyMatch(CausesView::hasCauses));
        List<String> notes = new ArrayList<>();
        if (hasRows) {
            notes.addAll(explanation(rows));
            notes.addAll(ofWindows(rows));
        }
        Set<String> damaged = rows.summary().damage().stream()
                .filter(file -> RunCauses.FILES.contains(file.file()))
                .map(DamagedFile::run)
                .collect(Collectors.toSet());
        List<String> without = runs.stream()
                .filter(run -> !hasCauses(run) && !damaged.contains(run.name()))
                .map(RunSummary::name)
                .toList();
        notes.addAll(decisions(runs));
        if (!without.isEmpty() && without.size() == runs.size()) {
            notes.add("No run recorded causes: repeat the runs with --observe causes.");
        } else if (!without.isEmpty()) {
            notes.add("These runs have no causes, because not both sides recorded them: " + String.join(", ", without)
                    + ". Their points have no causes either. To record causes: observe: causes, or --observe causes.");
        }
        return notes;
    }

    /** Returns a note on the runs whose tails are not those of the packets asked for. */
    static List<String> ofWindows(PointRows rows) {
        List<RunSummary> runs = rows.summary().points().stream()
                .flatMap(point -> point.runs().stream())
                .toList();
        List<String> inWindows = runs.stream()
                .filter(run -> run.decision() != null && run.decision().isOfWindows())
                .map(RunSummary::name)
                .toList();
        return inWindows.isEmpty()
                ? List.of()
                : List.of("observe: auto observed windows. The slow packets here are those of the windows, which follow"
                        + " the packets asked for: the lag table has other packets, and their tail is not divided"
                        + " here. " + runs(inWindows, runs));
    }

    private static String runs(List<String> some, List<RunSummary> all) {
        return "Runs: " + (some.size() == all.size() ? "all" : String.join(", ", some)) + ".";
    }

    /** Returns a note for each reason for which runs decided to observe nothing. */
    private static List<String> decisions(List<RunSummary> runs) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (RunSummary run : runs) {
            DecidedObservation decision = run.decision();
            if (decision != null && decision.reason() != null) {
                byReason.computeIfAbsent(decision.reason(), reason -> new ArrayList<>())
                        .add(run.name());
            }
        }
        return byReason.entrySet().stream()
                .map(entry -> "observe: auto observed nothing: " + entry.getKey() + " " + runs(entry.getValue(), runs))
                .toList();
    }

    private static boolean hasCauses(RunSummary run) {
        return run.metrics().get(MetricGroup.CAUSES) != null;
    }

    /** Returns how the tables are computed, and what was not recorded. */
    private static List<String> explanation(PointRows rows) {
        List<String> notes = new ArrayList<>();
        notes.add("The tail is the values above the " + percent(rows) + " % quantile of each run. Their excess over"
                + " the median is what the parts of their ledgers have more than those of packets next to the median."
                + " Packets: those with most of their excess where this cause was, and most of that by this cause."
                + " Packets that queued"
                + " behind a late packet have its cause. A garbage collection or safepoint takes precedence over"
                + " the stop of the process that it causes. A compilation is a cause only while the packet thread"
                + " waited for a CPU. A wait for a CPU has the name of the program that ran meanwhile, if that side"
                + " could load the observer into the kernel (waits in run.json). lagbench explain divides single"
                + " packets. The recording of causes adds some µs to each lag that is divided here.");
        notes.addAll(stamps(rows));
        long lost = rows.pooled(MetricGroup.CAUSES).stream()
                .mapToLong(CauseMetrics::waitsLost)
                .sum();
        if (lost > 0) {
            notes.add("The kernel did not record " + Numbers.grouped(lost) + " switches and wake-ups of the packet"
                    + " threads (waitsLost in run.json). The waits that they began or ended are unexplained.");
        }
        return notes;
    }
}
