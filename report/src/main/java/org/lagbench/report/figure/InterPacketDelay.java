package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.curve.Curve;
import org.lagbench.analysis.curve.RunCurve;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Axis;
import org.lagbench.report.plot.Chart;
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Line;
import org.lagbench.report.plot.LineStyle;

/**
 * Inter-packet delay of receiver and sender over packet number, as in figure 1 of Norris and Miller: how packets that
 * were sent evenly arrive in bursts. All panels have one logarithmic scale, since the packets of a burst are
 * microseconds apart and the bursts milliseconds.
 */
final class InterPacketDelay extends PointFigure {
    private static final double HEIGHT = 92;
    private static final double NS_PER_US = 1e3;
    private static final double LEAST_NS = 10;

    @Override
    public String name() {
        return "inter-packet-delay";
    }

    @Override
    public String description() {
        return "inter-packet delay of receiver and sender over packet number";
    }

    @Override
    public String needs() {
        return "a run of two packets";
    }

    @Override
    @Nullable
    Chart chart(Material material, PointSummary point, RunSummary shown, JoinedRun run) throws LagbenchException {
        if (run.sent() <= 1) {
            return null;
        }
        PacketStretch stretch = PacketStretch.inTheMiddle(run.sent());
        List<Curve> received = stretch.curves(RunCurve.RECEIVE_DELAY, run);
        List<Curve> sent = stretch.curves(RunCurve.SEND_DELAY, run);
        long greatestNs = Math.max(greatest(received), greatest(sent));
        long leastNs = Math.min(least(received), least(sent));
        double fromUs = Math.max(LEAST_NS, (double) leastNs) / NS_PER_US;
        double toUs = Math.max(fromUs, (double) greatestNs / NS_PER_US);
        Axis receivedAxis = Axis.decades("IPD at receiver (µs)", fromUs, toUs);
        Axis sentAxis = Axis.decades("IPD at sender (µs)", fromUs, toUs);
        List<String> notes = new ArrayList<>();
        notes.add("Run " + shown.name() + ": " + Notes.count(run.sent()) + " packets sent, "
                + Notes.count(run.received()) + " received, nothing removed."
                + " IPD: inter-packet delay, between the stamps of consecutive packets of one side; it needs no"
                + " common clock.");
        if (leastNs < fromUs * NS_PER_US) {
            notes.add("Delays below " + (fromUs >= 1 ? Math.round(fromUs) : fromUs) + " µs are drawn at that value.");
        }
        return new Chart(
                "Inter-packet delay, " + material.names().full(point.point()),
                stretch.isAll() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                stretch.columns(),
                List.of(
                        new Row(receivedAxis, HEIGHT, panels(received, "received", 1, stretch)),
                        new Row(sentAxis, HEIGHT, panels(sent, "sent", 0, stretch))),
                List.of(),
                notes);
    }

    private static List<Panel> panels(List<Curve> curves, String name, int series, PacketStretch stretch) {
        List<Panel> panels = new ArrayList<>();
        for (int i = 0; i < curves.size(); i++) {
            double[] x = TimeUnit.numbers(curves.get(i));
            double[] y = TimeUnit.MICROSECONDS.y(curves.get(i));
            LineStyle style = LineStyle.hairline(series);
            boolean whole = i == 0 && !stretch.isAll();
            panels.add(new Panel(List.of(
                    whole ? Line.broken(name, style, x, y, stretch.neighbours(i)) : Line.dots(name, style, x, y))));
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
