package org.lagbench.report.chart;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Registry;
import org.lagbench.report.table.PointNames;

/**
 * A kind of charts that {@code lagbench figures} draws.
 *
 * @param order the position in lists and among the files, from 0
 * @param needs the data that a session needs for these charts, for the help
 */
public record ChartKind(String name, int order, String needs, Drawer drawer) implements Registry.Named {
    /** A chart with its file name, without extension. */
    public record Drawing(String name, Chart chart) {
        /** Adds a drawing, with a number in its file name if another one has this name. */
        static void add(List<Drawing> drawings, String name, Chart chart) {
            String file = PointNames.filePart(name);
            boolean isTaken =
                    drawings.stream().anyMatch(drawing -> drawing.name().equals(file));
            drawings.add(new Drawing(isTaken ? file + "-" + (drawings.size() + 1) : file, chart));
        }
    }

    /** Draws the charts of one kind of a session. */
    @FunctionalInterface
    public interface Drawer {
        /** Returns the drawings, whose names begin with that of the kind; none if the session has no data for it. */
        List<Drawing> draw(ChartContext context, String name) throws LagbenchException;
    }

    /**
     * The charts of one subject. Registered by a line in
     * {@code META-INF/services/org.lagbench.report.chart.ChartKind$Source} and found by {@link ChartKinds}.
     * Implementations have a public constructor without arguments. They do not load java.awt before they draw, because
     * a small JDK does not have it.
     */
    public interface Source {
        /** Returns the kinds, one or more. */
        List<ChartKind> kinds();

        /** Returns the charts that a report has before its tables; those without drawings are left out. */
        default List<ReportChart> overviews(ChartContext context) {
            return List.of();
        }

        /**
         * Returns the charts that a report has below those of every run; those without drawings are left out.
         *
         * @throws LagbenchException if the captures cannot be read
         */
        default List<ReportChart> sections(ChartContext context) throws LagbenchException {
            return List.of();
        }
    }

    /**
     * Draws the charts of this kind.
     *
     * @return none if the session has no data for it
     * @throws LagbenchException if the captures cannot be read
     */
    public List<Drawing> draw(ChartContext context) throws LagbenchException {
        return drawer.draw(context, name);
    }

    /** Draws the charts of this kind for a page. */
    List<Chart> charts(ChartContext context) throws LagbenchException {
        return draw(context).stream().map(Drawing::chart).toList();
    }
}
