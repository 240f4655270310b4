package org.lagbench.report.chart;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.RunCurve;
import org.lagbench.analysis.statistics.Curve;
import org.lagbench.analysis.statistics.Thinning;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.table.Numbers;

/**
 * The part of a run in figures over packet number: a stretch in which single packets are visible, and next to it the
 * whole run, if that is longer.
 *
 * @param packets the number of packets of the run
 * @param from the first packet of the stretch
 * @param to its last packet
 */
record PacketStretch(long packets, long from, long to) {
    /**
     * The packets of a stretch, as many as can be seen apart in a panel: three times the packets of 24 bytes that fill
     * a buffer of 4,096.
     */
    private static final int LENGTH = 510;

    /** The label of the horizontal axis. */
    static final String LABEL = "packet number";

    /** The columns of a thinned curve: one pixel each at 300 dots per inch. */
    private static final int COLUMNS = 900;

    static PacketStretch inTheMiddle(long packets) {
        return around(packets / 2, packets);
    }

    /** Returns the stretch around a packet, moved to lie within the run. */
    static PacketStretch around(long packet, long packets) {
        if (packets <= 2 * LENGTH) {
            return new PacketStretch(packets, 0, Math.max(0, packets - 1));
        }
        long from = Math.min(packets - LENGTH, Math.max(0, packet - LENGTH / 2));
        return new PacketStretch(packets, from, from + LENGTH - 1);
    }

    boolean isAll() {
        return to - from + 1 >= packets;
    }

    /** Returns a column of panels for the run, if it is longer than the stretch, and one for the stretch. */
    List<Column> columns() {
        Column stretch = new Column(
                isAll() ? "" : "packets " + Numbers.grouped(from) + " to " + Numbers.grouped(to),
                Axis.linear(LABEL, (double) from, (double) to));
        return isAll()
                ? List.of(stretch)
                : List.of(new Column("whole run", Axis.linear(LABEL, 0, (double) packets)), stretch);
    }

    /** Returns the largest distance between packets that a line in a column joins. No line spans a lost packet. */
    double maxGap(int column) {
        return column == 0 && !isAll() ? Math.max(1, 2.0 * (double) packets / COLUMNS) : 1;
    }

    /** Returns a curve for each column, in one pass over the captures. */
    List<Curve> curves(RunCurve curve, JoinedRun run) throws LagbenchException {
        Thinning whole = new Thinning(0, Math.max(0, packets - 1), COLUMNS);
        // with one column for each packet, it keeps all
        Thinning stretch = new Thinning(from, to, (int) (to - from + 1));
        curve.forEach(run, (x, y) -> {
            whole.accept(x, y);
            stretch.accept(x, y);
        });
        return isAll() ? List.of(stretch.curve()) : List.of(whole.curve(), stretch.curve());
    }
}
