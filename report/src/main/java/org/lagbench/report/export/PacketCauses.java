package org.lagbench.report.export;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.RunSide;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/** The columns with the causes of late packets: of the lag, and of the lag from the scheduled time. */
final class PacketCauses {
    private static final long UNEXPLAINED = 0;
    private static final List<RunSide> SIDE_ORDER = List.of(RunSide.values());

    private final List<PacketColumn> columns = new ArrayList<>();
    private final List<Attribution> attributions = new ArrayList<>();

    private PacketCauses() {}

    /**
     * Returns the columns of a run.
     *
     * @param record null if there is none
     * @param tail the packets that get a cause
     * @return null if causes were not recorded
     */
    static @Nullable PacketCauses of(Path directory, @Nullable RunRecord record, JoinedRun run, Tail tail)
            throws LagbenchException {
        RunCauses recorded = run.received() == 0 ? null : RunCauses.open(directory, run, tail);
        if (recorded == null) {
            return null;
        }
        PacketCauses causes = new PacketCauses();
        causes.add("cause", "lag_ns", tail, recorded.attribution(Series.TRANSMIT_LAG));
        if (record != null && record.point().pace().intervalNs() > 0) {
            causes.add(
                    "schedule_cause",
                    "received_ns - scheduled_ns",
                    tail,
                    recorded.attribution(Series.LAG_FROM_SCHEDULE));
        }
        return causes;
    }

    private void add(String name, String lag, Tail tail, Attribution attribution) {
        String of =
                " of the part of " + lag + " above its median, if it is above its " + tail.percent() + " % quantile";
        columns.add(new PacketColumn(name, "cause" + of, true, PacketCauses::cause));
        columns.add(new PacketColumn(name + "_side", "side of the cause" + of, true, side -> SIDE_ORDER
                .get((int) side)
                .text()));
        attributions.add(attribution);
    }

    private static String cause(long code) {
        Cause cause = Cause.ofCode(code);
        return cause == null ? "unexplained" : cause.text();
    }

    List<PacketColumn> columns() {
        return columns;
    }

    /** Begins a pass over the arrivals. */
    ArrivalCauses walk() {
        return new ArrivalCauses();
    }

    /** Finds the causes of the arrivals, one after the other. */
    final class ArrivalCauses {
        private final List<Attribution.TailScan> scans =
                attributions.stream().map(Attribution::scan).toList();

        private ArrivalCauses() {}

        /**
         * Writes the values of the next arrival into a row.
         *
         * @param from the index of the first of the columns
         */
        void put(long arrival, long[] row, int from) throws LagbenchException {
            int at = from;
            for (Attribution.TailScan scan : scans) {
                boolean inTail = scan.advance(arrival);
                SideCause cause = inTail ? scan.cause() : null;
                row[at++] = !inTail
                        ? PacketTable.ABSENT
                        : cause == null ? UNEXPLAINED : cause.cause().code();
                row[at++] = cause == null ? PacketTable.ABSENT : SIDE_ORDER.indexOf(cause.side());
            }
        }
    }
}
