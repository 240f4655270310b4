package org.lagbench.analysis.summary;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.core.text.Units;

/**
 * What the machine did to a run. Beyond the limits that are declared here, and nowhere else, the run is spoiled: tables
 * show it, and no verdict uses it.
 *
 * <ul>
 *   <li>Other programs used more CPU time than {@code machine.max-other-load} allows: the experiment's own limit.
 *   <li>A CPU quota stopped a side, or the sender stood still while programs waited for a CPU, for more than
 *       {@value #MAX_PERCENT} % of the time: the 99 % quantile then is the machine's.
 *   <li>More than {@value #MAX_PERCENT} % of packets left an emulated link more than 1 ms late, for the same reason.
 *   <li>An emulated link missed packets of a schedule: it lost what its keys do not say.
 * </ul>
 *
 * <p>Who sets {@code machine.max-other-load} to 100 % accepts all of these.
 */
public final class Disturbances {
    static final int MAX_PERCENT = 1;

    /** The shortest time between a scheduled packet and its departure that is no error of a pacer. */
    private static final long MIN_STANDSTILL_NS = 1_000_000;

    private static final String FORWARDED = "forwarded";
    private static final String LATE = "lateOver1ms";
    private static final String MISSED = "missed";

    private Disturbances() {}

    /** Returns a mark for each disturbance of a run, also for those within the limits. */
    static List<RunMark> marks(RunRecord run, JoinedRun packets) throws LagbenchException {
        List<RunMark> marks = new ArrayList<>(recorded(run));
        if (!accepts(run) && isBusy(run) && isBeyond(standstillNs(run, packets), timeNs(packets))) {
            marks.add(new RunMark(
                    run.name(),
                    "The sender stood still for more than " + MAX_PERCENT + " % of the time, outside of its send"
                            + " calls, while programs waited for a CPU: packets left late.",
                    true));
        }
        return marks;
    }

    /** Returns a mark for each disturbance that the record of a run shows without its packets. */
    public static List<RunMark> recorded(RunRecord run) {
        List<RunMark> marks = new ArrayList<>(OtherLoad.marks(run));
        if (run.lab() != null && !accepts(run)) {
            addLink(marks, run, run.lab().stations());
        }
        return marks;
    }

    /** Returns whether the experiment accepts any disturbance. */
    static boolean accepts(RunRecord run) {
        RunRecord.Machine machine = run.machine();
        return machine != null && machine.maximumOtherLoadPpm() >= MachinePolicy.ALL_PPM;
    }

    /** Returns whether a part is more of a whole than a run may lose to its machine. */
    static boolean isBeyond(long part, long whole) {
        return Units.PERCENT * (double) part > (double) (MAX_PERCENT * whole);
    }

    private static boolean hasSchedule(RunRecord run) {
        return run.point().pace().intervalNs() > 0;
    }

    private static void addLink(List<RunMark> marks, RunRecord run, List<Station> stations) {
        if (isBeyond(sum(stations, LATE), sum(stations, FORWARDED))) {
            marks.add(new RunMark(
                    run.name(),
                    "More than " + MAX_PERCENT + " % of packets left the emulated link more than 1 ms late: it was not"
                            + " the link that the experiment describes.",
                    true));
        }
        if (hasSchedule(run) && sum(stations, MISSED) > 0) {
            marks.add(new RunMark(
                    run.name(),
                    "The emulated link missed packets, because its program did not get a CPU in time: it lost more than"
                            + " the experiment describes.",
                    true));
        }
    }

    /** Returns the sum of a count over the links, whose stations count late packets too. */
    private static long sum(List<Station> stations, String name) {
        return stations.stream()
                .filter(station -> station.counts().containsKey(LATE))
                .mapToLong(station -> station.counts().getOrDefault(name, 0L))
                .sum();
    }

    /** Returns whether programs waited for a CPU of the sender for longer than the experiment lets others use one. */
    private static boolean isBusy(RunRecord run) {
        RunRecord.Machine machine = run.machine();
        if (machine == null || machine.sender().size() < RunRecord.Machine.READINGS) {
            return false;
        }
        HostLoad begin = machine.sender().get(OtherLoad.BEGIN);
        HostLoad end = machine.sender().get(OtherLoad.END);
        return end.waitSince(begin, end.atNs() - begin.atNs())
                > (double) machine.maximumOtherLoadPpm() / MachinePolicy.ALL_PPM;
    }

    /** Returns how long packets were due, and the call that sent the one before had returned, in ns. */
    private static long standstillNs(RunRecord run, JoinedRun packets) throws LagbenchException {
        long sumNs = 0;
        long freeNs = Long.MIN_VALUE;
        for (long packet = 0; hasSchedule(run) && packet < packets.sent(); packet++) {
            long stoodNs = packets.sentNs(packet) - Math.max(packets.scheduledNs(packet), freeNs);
            sumNs += stoodNs > MIN_STANDSTILL_NS ? stoodNs : 0;
            freeNs = packets.returnedNs(packet);
        }
        return sumNs;
    }

    private static long timeNs(JoinedRun packets) throws LagbenchException {
        return packets.sent() == 0 ? 0 : packets.sentNs(packets.sent() - 1) - packets.sentNs(0);
    }
}
