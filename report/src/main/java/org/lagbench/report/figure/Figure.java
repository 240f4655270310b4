package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.plot.Chart;

/**
 * One kind of figure. A new one is a class and its line in {@link AllFigures}.
 *
 * @param name on the command line, with which the names of its files begin
 * @param description what it shows, for the help
 * @param needs what a session must have for it, as the end of the sentence "Left out: …, for want of …"
 * @param drawer draws it
 */
public record Figure(String name, String description, String needs, Drawer drawer) {
    /** Draws a figure of a session. */
    @FunctionalInterface
    interface Drawer {
        /** Returns the drawings; none if the session has no data for it. */
        List<Drawing> draw(FigureContext context) throws LagbenchException;
    }

    /** Draws a run. */
    @FunctionalInterface
    interface RunDrawer {
        /** Returns the chart, or null if the run has no data for it. */
        @Nullable
        Chart draw(RunView view) throws LagbenchException;
    }

    /** A figure that has a drawing for each point, of the run that stands for it. */
    static Figure ofPoints(String name, String description, String needs, RunDrawer drawer) {
        return new Figure(name, description, needs, context -> {
            List<Drawing> drawings = new ArrayList<>();
            for (PointSummary point : context.points()) {
                RunSummary shown = context.shown(point);
                try (JoinedRun run = context.open(shown.name())) {
                    Chart chart = drawer.draw(new RunView(context, point, shown, run, RunView.PRINTED_COLUMNS, false));
                    if (chart != null) {
                        drawings.add(new Drawing(name + "-" + context.names().fileName(point.point()), chart));
                    }
                }
            }
            return drawings;
        });
    }

    /**
     * Makes it of a session.
     *
     * @return its drawings; none if the session has no data for it
     * @throws LagbenchException if the captures cannot be read
     */
    public List<Drawing> of(FigureContext context) throws LagbenchException {
        return drawer.draw(context);
    }
}
