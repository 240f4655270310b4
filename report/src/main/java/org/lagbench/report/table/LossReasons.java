package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.BufferGrant;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.model.LabRecord;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.text.Units;

/** Where the packets of a point were lost, by the counters of its runs, and what prevents it. */
final class LossReasons {
    private static final String BUFFER = "receive-buffer";

    /** The size to request. Linux grants twice the request; where a receiver has that, a larger one is no remedy. */
    private static final long REQUESTED_BYTES = 4L << 20;

    private static final String SLOWER = "Send slower by --interval.";

    private LossReasons() {}

    /** Returns sentences for a point that lost packets; none if no packet arrived, which has its own warning. */
    static List<String> of(PointSummary point) {
        long lost = point.pooled().packets().lost();
        List<String> reasons = new ArrayList<>();
        if (point.pooled().packets().received() == 0) {
            return reasons;
        }
        long left = lost;
        Long drops = point.pooled().get(MetricGroup.KERNEL_DROPS);
        if (drops != null && drops > 0) {
            reasons.add(receiveBuffer(point, drops));
            left -= drops;
        }
        Long overwritten = point.pooled().get(MetricGroup.OVERWRITTEN);
        if (overwritten != null && overwritten > 0) {
            reasons.add("The receive ring of the bus controller overwrote " + Numbers.grouped(overwritten)
                    + " packets before they were read: try a larger --receive-queue-packets.");
            left -= overwritten;
        }
        boolean isEmulated = addNetwork(point, reasons);
        if (left > 0 && !isEmulated) {
            reasons.add(Numbers.grouped(left) + (left == 1 ? " packet was" : " packets were")
                    + " lost on the wire or in a queue before the receiver, or arrived"
                    + " later than drain: "
                    + (drops == null
                            ? "the receiver did not report drops of its buffer."
                            : "no buffer of the receiver dropped them.")
                    + " If a longer --interval loses none, a queue was full.");
        }
        return reasons;
    }

    private static String receiveBuffer(PointSummary point, long drops) {
        BufferGrant grant = point.pooled().require(MetricGroup.BUFFERS).get(BufferGrant.BufferSide.RECEIVE);
        boolean canGrow = point.point().settings().containsKey(BUFFER)
                && (grant == null || grant.mostBytes() < 2 * REQUESTED_BYTES);
        String size = grant == null ? "" : " (" + SettingText.value(BUFFER, Long.toString(grant.leastBytes())) + ")";
        return "The receive buffer" + size + " overflowed " + Numbers.grouped(drops)
                + (drops == 1 ? " time: " : " times: ")
                + (canGrow
                        ? "try --receive-buffer " + (REQUESTED_BYTES >> 20) + "MiB."
                        : "the receiver is too slow for this rate. " + SLOWER);
    }

    /** Adds where the emulated network dropped packets; returns whether it did. */
    private static boolean addNetwork(PointSummary point, List<String> reasons) {
        List<LabRecord> labs = point.runs().stream()
                .map(RunSummary::lab)
                .filter(Objects::nonNull)
                .toList();
        int before = reasons.size();
        long full = sum(labs, "drops") + sum(labs, "queueFull");
        if (full > 0) {
            reasons.add("A queue of the emulated network was full for " + Numbers.grouped(full)
                    + " packets, warm-up included: " + slower(labs.get(0).capacityPacketsPerS()));
        }
        long emulated = sum(labs, "lost");
        if (emulated > 0) {
            reasons.add("The emulated link lost " + Numbers.grouped(emulated)
                    + " packets, warm-up included, as the loss of the lab says.");
        }
        long missed = sum(labs, "missed") + sum(labs, "refused");
        if (missed > 0) {
            reasons.add("The emulation itself lost " + Numbers.grouped(missed)
                    + " packets, warm-up included: this machine is too slow for this rate. " + SLOWER);
        }
        return reasons.size() > before;
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
                .map(station -> station.counts())
                .mapToLong((Map<String, Long> counts) -> counts.getOrDefault(count, 0L))
                .sum();
    }
}
