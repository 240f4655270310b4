package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.RunCurve;
import org.lagbench.analysis.statistics.Curve;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart.Column;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.table.Numbers;

/**
 * Inter-packet delay of receiver and sender over packet number, as in figure 1 of Norris and Miller. It shows whether
 * packets that were sent at even intervals arrive in bursts. All panels have one logarithmic scale, because the packets
 * of a burst are microseconds apart and the bursts milliseconds.
 */
final class InterPacketDelay {
    private static final double HEIGHT = 92;

    private InterPacketDelay() {}

    static @Nullable Chart chart(RunView view) throws LagbenchException {
        JoinedRun run = view.run();
        if (run.sent() <= 1) {
            return null;
        }
        boolean isPrinted = !view.isZoomable();
        PacketStretch stretch = PacketStretch.inTheMiddle(run.sent());
        List<Curve> received = curves(view, RunCurve.RECEIVE_DELAY, stretch);
        List<Curve> sent = curves(view, RunCurve.SEND_DELAY, stretch);
        LongSummaryStatistics range = Stream.concat(received.stream(), sent.stream())
                .filter(curve -> curve.size() > 0)
                .flatMapToLong(curve -> LongStream.of(curve.minY(), curve.maxY()))
                .summaryStatistics();
        double minNs = (double) range.getMin();
        double maxNs = (double) range.getMax();
        List<String> notes = new ArrayList<>();
        notes.add("Run " + view.summary().name() + ": " + Numbers.grouped(run.sent()) + " packets sent, "
                + Numbers.grouped(run.received()) + " received, nothing removed. IPD: inter-packet delay, between"
                + " consecutive stamps of one side; it needs no common clock.");
        if (isPrinted) {
            Axis.addNoteBelowMin(notes, "Delays", minNs);
        }
        return new Chart(
                "Inter-packet delay, " + view.pointName(),
                isPrinted && stretch.isAll() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                isPrinted
                        ? stretch.columns()
                        : List.of(new Column("", Axis.linear(PacketStretch.LABEL, 0, (double) run.sent() - 1))),
                List.of(
                        new Row(
                                Axis.logarithmicUs("IPD at receiver", minNs, maxNs),
                                view.height(HEIGHT),
                                panels(received, "received", view.style(1), stretch)),
                        new Row(
                                Axis.logarithmicUs("IPD at sender", minNs, maxNs),
                                view.height(HEIGHT),
                                panels(sent, "sent", view.style(0), stretch))),
                List.of(),
                notes);
    }

    private static List<Curve> curves(RunView view, RunCurve curve, PacketStretch stretch) throws LagbenchException {
        return view.isZoomable() ? List.of(curve.of(view.run(), view.columns())) : stretch.curves(curve, view.run());
    }

    private static List<List<Layer>> panels(List<Curve> curves, String name, LineStyle style, PacketStretch stretch) {
        List<List<Layer>> panels = new ArrayList<>();
        for (int i = 0; i < curves.size(); i++) {
            double[] x = TimeUnit.numbers(curves.get(i));
            double[] y = TimeUnit.MICROSECONDS.y(curves.get(i));
            panels.add(List.of(
                    i < curves.size() - 1
                            ? Line.broken(name, style, x, y, stretch.maxGap(i))
                            : Line.dots(name, style, x, y)));
        }
        return panels;
    }
}
