package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.BufferGrant;
import org.lagbench.analysis.summary.FailedSends;
import org.lagbench.analysis.summary.LossPlaces;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.text.Units;

/** Why packets of a point were lost, by the counters of its runs, and what prevents it. */
final class LossReasons {
    private static final String BUFFER = "receive-buffer";

    /** The size to request. Linux grants twice the request; where a receiver has that, a larger one is no remedy. */
    private static final long REQUESTED_BYTES = 4L << 20;

    private LossReasons() {}

    /** Returns why a point lost packets; nothing of the way to a host that none reached, which has its own warning. */
    static List<String> of(PointSummary point) {
        FailedSends failed = point.pooled().get(MetricGroup.FAILED_SENDS);
        LossPlaces lost = point.pooled().require(MetricGroup.LOSS_PLACES);
        List<String> reasons = new ArrayList<>(failed == null ? List.of() : failedSends(failed));
        long unknown = lost.unknown();
        List<LabRecord> labs = Warnings.labs(point);
        if (lost.ownQueue() > 0 && sum(labs, "drops") == 0) {
            reasons.add("A queue of the sender's host dropped " + packets(lost.ownQueue())
                    + " (tc -s qdisc): send slower by --interval, or use a longer queue.");
        }
        if (point.pooled().packets().received() == 0 && lost.isWayUnknown()) {
            return reasons;
        }
        if (lost.receiveBuffer() > 0) {
            boolean areRecorded = point.pooled().require(MetricGroup.RECORDED_DROPS).keySet().stream()
                    .anyMatch(DropsCapture.OVERFLOWS::contains);
            reasons.add(receiveBuffer(point, lost.receiveBuffer(), unknown > 0 && !areRecorded ? " at least " : " "));
        }
        if (lost.damaged() > sum(labs, "damaged")) {
            reasons.add(packets(lost.damaged())
                    + " arrived damaged, with a wrong checksum or number: the link or a network card corrupts them.");
        }
        if (lost.receiverOther() > 0) {
            Map<String, Long> others = LossPlaces.otherDrops(point.pooled());
            reasons.add("The receiver's kernel dropped packets, though no buffer was full: "
                    + LedgerView.reasons(others)
                    + (others.containsKey("NETFILTER_DROP")
                            ? ". NETFILTER_DROP is a rule of the receiver's firewall."
                            : "."));
        }
        if (lost.receiveRing() > 0) {
            reasons.add("The receive ring of the bus controller overwrote " + Numbers.grouped(lost.receiveRing())
                    + " packets before they were read: try a larger --receive-queue-packets.");
        }
        List<String> emulated = emulated(labs);
        reasons.addAll(emulated);
        List<String> ended = point.runs().stream()
                .filter(run -> run.state() != RunRecord.State.COMPLETE)
                .map(RunSummary::name)
                .toList();
        if (unknown > 0 && !ended.isEmpty()) {
            reasons.add(packets(unknown) + (unknown == 1 ? " has" : " have")
                    + " no stamp of arrival: a side ended early, so some of them need not be lost, in "
                    + Warnings.named(ended, ", ", "others") + ".");
        } else if (unknown > requested(labs) && emulated.isEmpty()) {
            String hold = Transports.load()
                    .find(point.point().transport())
                    .map(Transport::holdSetting)
                    .orElse(null);
            reasons.add(packets(unknown)
                    + (unknown == 1 ? " was" : " were")
                    + (hold == null ? lostBefore(point) : tooLate(hold)));
        }
        return reasons;
    }

    private static String packets(long number) {
        return Numbers.grouped(number) + (number == 1 ? " packet" : " packets");
    }

    private static String lostBefore(PointSummary point) {
        return " lost on the wire or in a queue before the receiver, or arrived later than drain: "
                + (point.pooled().get(MetricGroup.KERNEL_DROPS) == null
                        ? "the receiver did not report drops of its buffer."
                        : "no buffer of the receiver is known to have dropped them.")
                + " If a longer --interval loses none, a queue was full.";
    }

    private static String tooLate(String hold) {
        return " not delivered: lost, or too late for the receiving library, which waits as long as --" + hold
                + " says. Try a longer time.";
    }

    /** Returns what did not leave a host, and what the network rejected. */
    private static List<String> failedSends(FailedSends failed) {
        List<String> sentences = new ArrayList<>();
        Map<String, Long> packets = new TreeMap<>(failed.packets());
        packets.remove(PacketError.ENOBUFS.name()); // of a queue, which has its own sentence
        addFailed(packets, "packets did not leave the sender's host", sentences);
        if (failed.ofLibrary() > 0) {
            sentences.add(Numbers.grouped(failed.ofLibrary())
                    + " packets were dropped by the sender's library, those around the recorded ones included: its"
                    + " queue was full, or they were late.");
        }
        addFailed(failed.replies(), "replies did not leave the receiver's host", sentences);
        addFailed(failed.rejected(), "errors of earlier packets were reported by the network", sentences);
        return sentences;
    }

    private static void addFailed(Map<String, Long> errors, String what, List<String> sentences) {
        if (!errors.isEmpty()) {
            sentences.add(Numbers.grouped(FailedSends.sum(errors)) + " " + what
                    + ", those around the recorded ones included: "
                    + PacketError.text(errors) + ".");
        }
    }

    /**
     * @param bound the words before the number, which is too low if packets outside of the run's were lost elsewhere
     */
    private static String receiveBuffer(PointSummary point, long drops, String bound) {
        BufferGrant grant = point.pooled().require(MetricGroup.BUFFERS).get(BufferGrant.BufferSide.RECEIVE);
        boolean canGrow = point.point().settings().containsKey(BUFFER)
                && (grant == null || grant.mostBytes() < 2 * REQUESTED_BYTES);
        String size = grant == null ? "" : " (" + SettingText.value(BUFFER, Long.toString(grant.leastBytes())) + ")";
        return "The receive buffer" + size + " overflowed" + bound + Numbers.grouped(drops)
                + (drops == 1 ? " time: " : " times: ")
                + (canGrow
                        ? "try --receive-buffer " + (REQUESTED_BYTES >> 20) + "MiB."
                        : "the receiver was too slow then. If nothing stopped it or the sender (--view ledger), send"
                                + " slower by --interval.");
    }

    /** Returns where emulated networks dropped packets. */
    private static List<String> emulated(List<LabRecord> labs) {
        List<String> reasons = new ArrayList<>();
        long full = sum(labs, "drops") + sum(labs, "queueFull");
        if (full > 0) {
            reasons.add("A queue of the emulated network was full for " + Numbers.grouped(full)
                    + " packets, warm-up included: " + slower(labs.get(0).capacityPacketsPerS()));
        }
        long missed = sum(labs, "missed") + sum(labs, "refused");
        if (missed > 0) {
            reasons.add("The emulation itself lost " + Numbers.grouped(missed)
                    + " packets, warm-up included: this machine is too slow for this rate. Send slower by --interval.");
        }
        return reasons;
    }

    /** Returns how many packets the emulated links of runs lost or damaged because the lab requests it. */
    private static long requested(List<LabRecord> labs) {
        return sum(labs, "lost") + sum(labs, "lostInBursts") + sum(labs, "damaged");
    }

    /**
     * Returns the losses of a point that need no warning, because its lab requests as many, warm-up included, and no
     * counter has others.
     */
    static long requestedLosses(PointSummary point) {
        List<LabRecord> labs = Warnings.labs(point);
        long requested = requested(labs);
        boolean lostOthers =
                Stream.of("drops", "queueFull", "missed", "refused").anyMatch(count -> sum(labs, count) > 0);
        if (requested == 0 || lostOthers) {
            return 0;
        }
        LossPlaces lost = point.pooled().require(MetricGroup.LOSS_PLACES);
        return lost.unknown() + lost.damaged() == point.pooled().packets().lost() ? requested : 0;
    }

    private static String slower(@Nullable Double capacityPacketsPerS) {
        return capacityPacketsPerS == null
                ? "send slower by --interval."
                : "the link carries " + Numbers.grouped(0, capacityPacketsPerS)
                        + " packets/s, an --interval of at least "
                        + Numbers.grouped((long) Math.ceil(Units.NS_PER_S / capacityPacketsPerS / Units.NS_PER_US))
                        + "us.";
    }

    private static long sum(List<LabRecord> labs, String count) {
        return labs.stream()
                .flatMap(lab -> lab.stations().stream())
                .mapToLong(station -> station.counts().getOrDefault(count, 0L))
                .sum();
    }
}
