package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.analysis.curve.RunCurve;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.Chart.Column;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Line;
import org.lagbench.report.plot.LineStyle;

/**
 * Inter-packet delay of receiver and sender over packet number, as in figure 1 of Norris and Miller: how packets that
 * were sent evenly arrive in bursts. All panels have one logarithmic scale, since the packets of a burst are
 * microseconds apart and the bursts milliseconds.
 */
final class InterPacketDelay {
    static final Figure FIGURE = Figure.ofPoints(
            "inter-packet-delay",
            "inter-packet delay of receiver and sender over packet number",
            "a run of two packets",
            InterPacketDelay::chart);

    private static final double HEIGHT = 92;
    private static final double NS_PER_US = 1e3;
    private static final double LEAST_NS = 10;

    static @Nullable Chart chart(RunView view) throws LagbenchException {
        JoinedRun run = view.run();
        if (run.sent() <= 1) {
            return null;
        }
        boolean isStretched = !view.isZoomable();
        PacketStretch stretch = PacketStretch.inTheMiddle(run.sent());
        List<Curve> received = isStretched
                ? stretch.curves(RunCurve.RECEIVE_DELAY, run)
                : List.of(RunCurve.RECEIVE_DELAY.of(run, view.columns()));
        List<Curve> sent = isStretched
                ? stretch.curves(RunCurve.SEND_DELAY, run)
                : List.of(RunCurve.SEND_DELAY.of(run, view.columns()));
        List<Column> columns = isStretched
                ? stretch.columns()
                : List.of(new Column("", Axis.linear(PacketStretch.LABEL, 0, (double) run.sent() - 1)));
        long greatestNs = Math.max(greatest(received), greatest(sent));
        long leastNs = Math.min(least(received), least(sent));
        double fromUs = Math.max(LEAST_NS, (double) leastNs) / NS_PER_US;
        double toUs = Math.max(fromUs, (double) greatestNs / NS_PER_US);
        Axis receivedAxis = Axis.decades("IPD at receiver (µs)", fromUs, toUs);
        Axis sentAxis = Axis.decades("IPD at sender (µs)", fromUs, toUs);
        List<String> notes = new ArrayList<>();
        notes.add("Run " + view.summary().name() + ": " + Notes.count(run.sent()) + " packets sent, "
                + Notes.count(run.received()) + " received, nothing removed."
                + " IPD: inter-packet delay, between the stamps of consecutive packets of one side; it needs no"
                + " common clock.");
        if (leastNs < fromUs * NS_PER_US) {
            notes.add("Delays below " + (fromUs >= 1 ? Math.round(fromUs) : fromUs) + " µs are drawn at that value.");
        }
        return new Chart(
                "Inter-packet delay, " + view.pointName(),
                isStretched && stretch.isAll() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                columns,
                List.of(
                        new Row(
                                receivedAxis,
                                view.height(HEIGHT),
                                panels(received, "received", view.style(1), stretch)),
                        new Row(sentAxis, view.height(HEIGHT), panels(sent, "sent", view.style(0), stretch))),
                List.of(),
                notes);
    }

    private static List<Panel> panels(List<Curve> curves, String name, LineStyle style, PacketStretch stretch) {
        List<Panel> panels = new ArrayList<>();
        for (int i = 0; i < curves.size(); i++) {
            double[] x = TimeUnit.numbers(curves.get(i));
            double[] y = TimeUnit.MICROSECONDS.y(curves.get(i));
            panels.add(new Panel(List.of(
                    i < curves.size() - 1
                            ? Line.broken(name, style, x, y, stretch.neighbours(i))
                            : Line.dots(name, style, x, y))));
        }
        return panels;
    }

    private static long greatest(List<Curve> curves) {
        return curves.stream().mapToLong(Curve::greatestY).max().orElse(0);
    }

    private static long least(List<Curve> curves) {
        return curves.stream().mapToLong(Curve::leastY).min().orElse(0);
    }
}
