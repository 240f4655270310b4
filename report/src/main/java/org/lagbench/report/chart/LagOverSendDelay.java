package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.RunCurve;
import org.lagbench.analysis.statistics.Curve;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart.Row;

/**
 * Transmit lag above inter-packet delay of the sender, over packet number, as in figures 2 and 3 of Norris and Miller.
 * A buffer that fills shows as rising lag, and a sender that waits for space as spikes of the delay where the lag
 * drops. Both have one scale, so that the sizes of spikes and drops can be compared.
 */
final class LagOverSendDelay {
    private static final double HEIGHT = 92;
    private static final double HEADROOM = 0.04;

    private LagOverSendDelay() {}

    static @Nullable Chart chart(RunView view) throws LagbenchException {
        JoinedRun run = view.run();
        if (run.sent() <= 1 || run.sent() <= run.counts().lost()) {
            return null;
        }
        PacketStretch stretch = PacketStretch.around(longestDelay(run), run.sent());
        List<Curve> lag = stretch.curves(RunCurve.LAG, run);
        List<Curve> delay = stretch.curves(RunCurve.SEND_DELAY, run);
        double minLagNs = lag.stream().mapToLong(Curve::minY).min().orElse(0);
        double maxLagNs = lag.stream().mapToLong(Curve::maxY).max().orElse(0);
        double maxDelayNs = delay.stream().mapToLong(Curve::maxY).max().orElse(0);
        double fromLagNs = Math.min(minLagNs, maxLagNs - minLagNs > minLagNs ? 0 : minLagNs);
        double spanNs = Math.max(Math.max(maxLagNs - fromLagNs, maxDelayNs), 1);
        TimeUnit unit = TimeUnit.forUpTo(Math.max(maxLagNs, maxDelayNs));
        double roomNs = spanNs * HEADROOM;
        Axis lagAxis = Axis.linear(
                "transmit lag (" + unit.symbol() + ")",
                unit.of(fromLagNs - roomNs),
                unit.of(fromLagNs + spanNs + roomNs));
        Axis delayAxis =
                Axis.linear("IPD at sender (" + unit.symbol() + ")", unit.of(-roomNs), unit.of(spanNs + roomNs));
        return new Chart(
                "Transmit lag and inter-packet delay, " + view.pointName(),
                stretch.isAll() ? Chart.ONE_COLUMN : Chart.TWO_COLUMNS,
                stretch.columns(),
                List.of(
                        new Row(lagAxis, HEIGHT, panels(lag, "lag", 0, stretch, unit)),
                        new Row(delayAxis, HEIGHT, panels(delay, "sent", 1, stretch, unit))),
                List.of(),
                List.of(Notes.lags(view, run.sent() - run.counts().lost())
                        + " IPD: inter-packet delay. Both have one scale."));
    }

    /** Returns the packet before which the sender waited longest. */
    private static long longestDelay(JoinedRun run) throws LagbenchException {
        Curve delay = RunCurve.SEND_DELAY.of(run, 1);
        long packet = 0;
        for (int i = 0; i < delay.size(); i++) {
            if (delay.y(i) == delay.maxY()) {
                packet = delay.x(i);
            }
        }
        return packet;
    }

    private static List<List<Layer>> panels(
            List<Curve> curves, String name, int series, PacketStretch stretch, TimeUnit unit) {
        List<List<Layer>> panels = new ArrayList<>();
        for (int i = 0; i < curves.size(); i++) {
            double[] x = TimeUnit.numbers(curves.get(i));
            double[] y = unit.y(curves.get(i));
            panels.add(List.of(Line.broken(name, LineStyle.hairline(series), x, y, stretch.maxGap(i))));
        }
        return panels;
    }
}
