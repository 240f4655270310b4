package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Chart;

/** A kind of figure that has a drawing for each point, of the run that stands for it. */
abstract class PointFigure implements Figure {
    @Override
    public final List<Drawing> of(FigureContext context) throws LagbenchException {
        List<Drawing> drawings = new ArrayList<>();
        for (PointSummary point : context.points()) {
            RunSummary shown = context.shown(point);
            try (JoinedRun run = context.open(shown.name())) {
                Chart chart = chart(new RunView(context, point, shown, run, RunView.PRINTED_COLUMNS, false));
                if (chart != null) {
                    drawings.add(new Drawing(name() + "-" + context.names().fileName(point.point()), chart));
                }
            }
        }
        return drawings;
    }

    /**
     * Draws a run.
     *
     * @return null if the run has no data for it
     */
    abstract @Nullable Chart chart(RunView view) throws LagbenchException;
}
