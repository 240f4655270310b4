package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Budget;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.RunCurve;
import org.lagbench.analysis.statistics.Curve;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.Chart.Row;

/** Transmit lag over the time of sending, and below it the concurrent events of each side that may have caused it. */
final class LagOverTime {
    private static final double HEIGHT = 120;

    /** How many packets of a run have their budgets in a page. */
    private static final int MAX_BUDGETS = 200;

    private LagOverTime() {}

    static @Nullable Chart chart(RunView view) throws LagbenchException {
        JoinedRun run = view.run();
        if (run.sent() <= run.counts().lost()) {
            return null;
        }
        double endNs = (double) RunCurve.LAG_OVER_TIME.maxX(run);
        Curve lag = RunCurve.LAG_OVER_TIME.of(run, view.columns());
        TimeUnit time = view.timeUnit(endNs);
        List<Row> rows = new ArrayList<>();
        double maxGap = 2 * time.of(endNs) / view.columns();
        List<Layer> layers = new ArrayList<>();
        layers.add(Line.broken("lag", view.style(0), time.x(lag), TimeUnit.MICROSECONDS.y(lag), maxGap));
        if (view.isZoomable() && view.context().isIntact(view.summary().name(), RunCauses.FILES)) {
            layers.add(budgets(view, time));
        }
        rows.add(Row.of(
                Axis.logarithmicUs("transmit lag", (double) lag.minY(), (double) lag.maxY()),
                view.height(HEIGHT),
                layers));
        rows.addAll(CauseLanes.of(view, (long) endNs, time));
        List<String> notes = new ArrayList<>();
        notes.add(Notes.lags(view, lag.thinnedFrom()));
        if (!view.isZoomable()) {
            Axis.addNoteBelowMin(notes, "Lags", (double) lag.minY());
            if (rows.size() > 1) {
                notes.add("Below the lag: steps of the clocks, and events that may delay packets, in the time of their"
                        + " side's clock. The duration of the longest event is shown.");
            }
        }
        return new Chart(
                "Transmit lag over time, " + view.pointName(),
                Chart.TWO_COLUMNS,
                List.of(time.sinceFirstSent(endNs)),
                rows,
                List.of(),
                notes);
    }

    /** Returns the budgets of the slowest packets for the script of a page: "x,y,text" each. */
    private static Layer budgets(RunView view, TimeUnit time) throws LagbenchException {
        JoinedRun run = view.run();
        List<String> texts = new ArrayList<>();
        for (Budget budget : Budget.slowest(view.directory(), run, MAX_BUDGETS)) {
            double x = time.of((double) (run.sentNs(budget.packet()) - run.sentNs(0)));
            double y = TimeUnit.MICROSECONDS.of((double) budget.lagNs());
            texts.add(x + "," + y + "," + budget.text());
        }
        return (canvas, frame) -> {
            canvas.begin("budgets", "");
            canvas.attribute("data-budgets", String.join("|", texts));
            canvas.end();
        };
    }
}
