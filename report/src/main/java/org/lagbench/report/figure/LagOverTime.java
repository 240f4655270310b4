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
import org.lagbench.report.plot.Chart.Panel;
import org.lagbench.report.plot.Chart.Row;
import org.lagbench.report.plot.Line;

/** Transmit lag over the time of sending, and below it what went on on each side meanwhile that may have caused it. */
final class LagOverTime {
    static final Figure FIGURE = Figure.ofPoints(
            "lag-over-time",
            "transmit lag over time, with what went on on each side below",
            "a run of which a packet came",
            LagOverTime::chart);

    private static final double HEIGHT = 120;
    private static final double NS_PER_US = 1e3;
    private static final double LEAST_NS = 10;

    static @Nullable Chart chart(RunView view) throws LagbenchException {
        JoinedRun run = view.run();
        if (run.sent() <= run.counts().lost()) {
            return null;
        }
        double endNs = (double) RunCurve.LAG_OVER_TIME.greatestX(run);
        Curve lag = RunCurve.LAG_OVER_TIME.of(run, view.columns());
        TimeUnit time = view.timeUnit(endNs);
        double fromUs = Math.max(LEAST_NS, (double) lag.leastY()) / NS_PER_US;
        List<String> notes = new ArrayList<>();
        notes.add("Run " + view.summary().name() + ": lag of " + Notes.count(lag.thinnedFrom())
                + " packets, nothing removed." + Notes.lost(run.counts().lost()) + " "
                + Notes.clock(view.summary().figures().clock()));
        if (lag.leastY() < LEAST_NS) {
            notes.add("Lags below " + LEAST_NS / NS_PER_US + " µs are drawn at that value.");
        }
        List<Row> rows = new ArrayList<>();
        double leastBetween = 2 * time.of(endNs) / view.columns();
        rows.add(new Row(
                Axis.decades("transmit lag (µs)", fromUs, (double) lag.greatestY() / NS_PER_US),
                view.height(HEIGHT),
                List.of(new Panel(List.of(
                        Line.broken("lag", view.style(0), time.x(lag), TimeUnit.MICROSECONDS.y(lag), leastBetween))))));
        List<Row> causes = CauseLanes.of(view, (long) endNs, time);
        rows.addAll(causes);
        if (!causes.isEmpty() && !view.isZoomable()) {
            notes.add("Below the lag: what may delay packets, each side by its own clock, as recorded in the run.");
        }
        return new Chart(
                "Transmit lag over time, " + view.pointName(),
                Chart.TWO_COLUMNS,
                List.of(time.sinceFirstSent(endNs)),
                rows,
                List.of(),
                notes);
    }
}
