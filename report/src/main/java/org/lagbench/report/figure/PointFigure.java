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
    public final List<Drawing> of(Material material) throws LagbenchException {
        List<Drawing> drawings = new ArrayList<>();
        for (PointSummary point : material.points()) {
            RunSummary shown = material.shown(point);
            try (JoinedRun run = material.open(shown.name())) {
                Chart chart = chart(material, point, shown, run);
                if (chart != null) {
                    drawings.add(new Drawing(name() + "-" + material.names().fileName(point.point()), chart));
                }
            }
        }
        return drawings;
    }

    /**
     * What is drawn of a point.
     *
     * @param shown the run that stands for it
     * @param run that run's captures
     * @return null if the run has no data for it
     */
    abstract @Nullable Chart chart(Material material, PointSummary point, RunSummary shown, JoinedRun run)
            throws LagbenchException;
}
