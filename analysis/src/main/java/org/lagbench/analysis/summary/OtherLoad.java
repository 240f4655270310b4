package org.lagbench.analysis.summary;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.QuotaFacts;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;

/** The load of the hosts that delayed a run: by programs other than lagbench, or by the CPU quota of a side. */
public final class OtherLoad {
    /**
     * The minimum time of recorded packets. The kernel's ticks are too coarse for less time: then the load of the whole
     * run counts, warm-up included.
     */
    private static final double MIN_S = 1;

    static final int BEGIN = 1;
    static final int END = 2;

    private OtherLoad() {}

    /**
     * Returns a mark for each side that a CPU quota stopped, and for each host on which other programs used more than
     * the experiment allows. Those beyond the limits of {@link Disturbances} spoil the run.
     */
    public static List<RunMark> marks(RunRecord run) {
        RunRecord.Machine machine = run.machine();
        List<RunMark> marks = new ArrayList<>();
        addQuota(marks, run, "sender", run.sender());
        if (run.receiver() != null) {
            addQuota(marks, run, "receiver", run.receiver());
        }
        if (machine == null) {
            return marks;
        }
        RunRecord.Side receiver = run.receiver();
        boolean isOneHost =
                receiver != null && receiver.bootId().equals(run.sender().bootId());
        List<HostLoad> peer = isOneHost ? machine.receiver() : List.of();
        add(marks, run, machine, isOneHost ? "the host's" : "the sender's", other(machine.sender(), peer));
        if (!isOneHost) {
            add(marks, run, machine, "the receiver's", other(machine.receiver(), List.of()));
        }
        return marks;
    }

    private static void addQuota(List<RunMark> marks, RunRecord run, String who, RunRecord.Side side) {
        QuotaFacts quota = side.metadata(QuotaFacts.class);
        if (quota != null && quota.cpuQuotaThrottledNs() > 0) {
            long throttledNs = quota.cpuQuotaThrottledNs();
            marks.add(new RunMark(
                    String.format(Locale.ROOT, "%s (%.0f ms)", run.name(), throttledNs / Units.NS_PER_MS),
                    String.format(
                            Locale.ROOT,
                            "The CPU quota of the %s's control group, %.2f CPUs, stopped it, in the sum over CPUs:"
                                    + " packets waited for its end. Raise the quota (docker --cpus, cpu.max).",
                            who,
                            quota.cpuQuota()),
                    !Disturbances.accepts(run) && Disturbances.isBeyond(throttledNs, timeNs(run))));
        }
    }

    private static void add(List<RunMark> marks, RunRecord run, RunRecord.Machine machine, String whose, double other) {
        double limit = (double) machine.maximumOtherLoadPpm() / MachinePolicy.ALL_PPM;
        if (other > limit) {
            marks.add(new RunMark(
                    String.format(Locale.ROOT, "%s (%.0f %%)", run.name(), Units.PERCENT * other),
                    String.format(
                            Locale.ROOT,
                            "Other programs used more of %s processors than machine.max-other-load allows, %s:"
                                    + " slow packets may be theirs.",
                            whose,
                            Quantities.formatShare(machine.maximumOtherLoadPpm())),
                    true));
        }
    }

    /** Returns the time from the first recorded packet to the end of a run; 0 if unknown. */
    private static long timeNs(RunRecord run) {
        return run.endedAt() == null
                ? 0
                : Duration.between(run.startedAt(), run.endedAt()).toNanos();
    }

    /**
     * Returns the part of a host's CPU time, from 0 to 1; NaN if unknown.
     *
     * @param peer the readings of the other side on this host, whose program may be another one; empty for none
     */
    private static double other(List<HostLoad> readings, List<HostLoad> peer) {
        if (readings.size() < RunRecord.Machine.READINGS) {
            return Double.NaN;
        }
        boolean isLong =
                (double) (readings.get(END).atNs() - readings.get(BEGIN).atNs()) > MIN_S * Units.NS_PER_S;
        HostLoad begin = readings.get(isLong ? BEGIN : 0);
        HostLoad end = readings.get(isLong ? END : RunRecord.Machine.READINGS - 1);
        long ofPeer = peer.size() < RunRecord.Machine.READINGS || peer.get(0).program() == begin.program()
                ? 0
                : peer.get(peer.size() - 1).ownTicks() - peer.get(0).ownTicks();
        return end.otherSince(begin, ofPeer);
    }
}
