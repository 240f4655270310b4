package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.lagbench.analysis.cause.CauseGroups;
import org.lagbench.analysis.cause.LedgerMetrics;
import org.lagbench.analysis.cause.PacketSet;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.StampCounts;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.Summary.DamagedFile;
import org.lagbench.core.run.DecidedObservation;

/** How ledgers are computed, and what was not recorded. */
final class LedgerNotes {
    private LedgerNotes() {}

    static List<String> notes(PointRows rows) {
        List<RunSummary> runs = rows.summary().points().stream()
                .flatMap(point -> point.runs().stream())
                .toList();
        boolean hasRows = !rows.pooled(CauseGroups.LEDGER).isEmpty()
                || (rows.view().everyRun() && runs.stream().anyMatch(LedgerNotes::hasLedger));
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
                .filter(run -> !hasLedger(run) && !damaged.contains(run.name()))
                .map(RunSummary::name)
                .toList();
        notes.addAll(decisions(runs));
        if (!without.isEmpty() && without.size() == runs.size()) {
            notes.add("No run recorded causes: repeat the runs with --observe events.");
        } else if (!without.isEmpty()) {
            notes.add("These runs have no causes, because not both sides recorded them: " + String.join(", ", without)
                    + ". Their points have no causes either. To record causes: observe: events, or --observe events.");
        }
        return notes;
    }

    /** Returns a note on the runs whose packets are not those asked for. */
    private static List<String> ofWindows(PointRows rows) {
        List<RunSummary> runs = rows.summary().points().stream()
                .flatMap(point -> point.runs().stream())
                .toList();
        List<String> inWindows = runs.stream()
                .filter(run -> run.decision() != null && run.decision().isOfWindows())
                .map(RunSummary::name)
                .toList();
        return inWindows.isEmpty()
                ? List.of()
                : List.of("observe: auto observed windows. The packets here are those of the windows, which follow the"
                        + " packets asked for: the lag table has other packets, and their tail is not divided here. "
                        + runs(inWindows, runs));
    }

    private static String runs(List<String> some, List<RunSummary> all) {
        return "Runs: " + (some.size() == all.size() ? "all" : String.join(", ", some)) + ".";
    }

    /** Returns a note for each reason for which runs decided to observe nothing. */
    private static List<String> decisions(List<RunSummary> runs) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (RunSummary run : runs) {
            DecidedObservation decision = run.decision();
            if (decision != null && decision.observedReason() != null) {
                byReason.computeIfAbsent(decision.observedReason(), reason -> new ArrayList<>())
                        .add(run.name());
            }
        }
        return byReason.entrySet().stream()
                .map(entry -> "observe: auto observed nothing: " + entry.getKey() + " " + runs(entry.getValue(), runs))
                .toList();
    }

    private static boolean hasLedger(RunSummary run) {
        return run.metrics().get(CauseGroups.LEDGER) != null;
    }

    /** Returns how the tables are computed, and what was not recorded. */
    private static List<String> explanation(PointRows rows) {
        List<String> notes = new ArrayList<>();
        notes.add("The values are means over the packets. An instant is in one part, so that the parts of a packet"
                + " add up to its lag exactly. A part on the path has the error of both clocks, and can be negative by"
                + " that. \"" + LedgerView.NOT_EXPLAINED
                + "\" is what no stamp and no event proves; if a source of a side was"
                + " off or lost an event (waits and waitsLost in run.json), this includes the rest of its send or"
                + " receive calls. lagbench explain shows single packets. The recording of causes adds some µs to each"
                + " lag that is divided here.");
        if (rows.view().of() == PacketSet.TAIL) {
            notes.add(
                    "The tail is the packets above the " + LedgerView.tail(rows).percent() + " % quantile of each run;"
                            + " --of median and --of all show other packets. Excess: what a part has more than that of"
                            + " packets next to the median. A packet that queued behind a late one has the cause of"
                            + " that one instead of the wait. n: the packets with most of their excess at this place,"
                            + " and most of that by this part. A garbage collection or safepoint takes precedence over"
                            + " the stop of the process that it causes. A compilation is a cause only while the packet"
                            + " thread waited for a CPU. A wait for a CPU has the name of the program that ran"
                            + " meanwhile, if that side could load the observer into the kernel (waits in run.json).");
        }
        notes.addAll(stamps(rows));
        long lost = rows.pooled(CauseGroups.LEDGER).stream()
                .mapToLong(LedgerMetrics::waitsLost)
                .sum();
        if (lost > 0) {
            notes.add("The kernel did not record " + Numbers.grouped(lost) + " switches and wake-ups of the packet"
                    + " threads (waitsLost in run.json). The waits that they began or ended are not explained.");
        }
        return notes;
    }

    /** Returns which stamps prove whether a packet had reached the receiver. */
    private static List<String> stamps(PointRows rows) {
        List<StampCounts> counts = rows.pooled(CauseGroups.LEDGER).stream()
                .map(LedgerMetrics::stamps)
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
}
