package org.lagbench.report.figure;

import java.util.List;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.analysis.curve.RunCurve;
import org.lagbench.analysis.curve.Thinning;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart.Column;

/**
 * What figures over packet number show of a run: all of it, and beside that a stretch in which single packets can be
 * seen, if the run is longer than such a stretch.
 *
 * @param packets how many the run has
 * @param from the first packet of the stretch
 * @param to its last
 */
record PacketStretch(long packets, long from, long to) {
    /**
     * As many as can be told apart in a panel: three times the packets of 24 bytes that fill an input buffer of 4,096.
     */
    private static final int LENGTH = 510;

    /** Of the axis. */
    static final String LABEL = "packet number";

    /** A pixel each at 300 dots an inch. */
    private static final int COLUMNS = 900;

    /** The stretch in the middle of a run. */
    static PacketStretch inTheMiddle(long packets) {
        return around(packets / 2, packets);
    }

    /** The stretch around a packet, as far as the run goes. */
    static PacketStretch around(long packet, long packets) {
        if (packets <= 2 * LENGTH) {
            return new PacketStretch(packets, 0, Math.max(0, packets - 1));
        }
        long from = Math.min(packets - LENGTH, Math.max(0, packet - LENGTH / 2));
        return new PacketStretch(packets, from, from + LENGTH - 1);
    }

    /** Whether the stretch is the whole run. */
    boolean isAll() {
        return to - from + 1 >= packets;
    }

    /** A column of panels for the run, if it is longer than the stretch, and one for the stretch. */
    List<Column> columns() {
        Column stretch = new Column(
                isAll() ? "" : "packets " + Notes.count(from) + " to " + Notes.count(to),
                Axis.linear(LABEL, (double) from, (double) to));
        return isAll()
                ? List.of(stretch)
                : List.of(new Column("whole run", Axis.linear(LABEL, 0, (double) packets)), stretch);
    }

    /** How far packets may be apart in a column of panels for a line to join them: not over one that is missing. */
    double neighbours(int column) {
        return column == 0 && !isAll() ? Math.max(1, 2.0 * (double) packets / COLUMNS) : 1;
    }

    /** A curve for each column, in one pass over the captures. */
    List<Curve> curves(RunCurve curve, JoinedRun run) throws LagbenchException {
        Thinning whole = new Thinning(0, Math.max(0, packets - 1), COLUMNS);
        // a column a packet: none is left out
        Thinning stretch = new Thinning(from, to, (int) (to - from + 1));
        curve.forEach(run, (x, y) -> {
            whole.accept(x, y);
            stretch.accept(x, y);
        });
        return isAll() ? List.of(stretch.curve()) : List.of(whole.curve(), stretch.curve());
    }
}
