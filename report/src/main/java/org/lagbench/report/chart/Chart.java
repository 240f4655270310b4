package org.lagbench.report.chart;

import java.util.List;
import java.util.stream.Stream;

/**
 * Panels in rows and columns. The panels of a row share a vertical axis, those of a column a horizontal one, so that
 * neighbors have equal scales.
 *
 * @param width in points
 * @param rows from top to bottom, each with one panel for each column
 * @param notes the paragraphs below
 */
public record Chart(
        String title, double width, List<Column> columns, List<Row> rows, List<Entry> legend, List<String> notes) {
    /** The width of a column of a journal's page: 88 mm. */
    public static final double ONE_COLUMN = 88 / 25.4 * 72;

    /** The width of both columns of a journal's page: 180 mm. */
    public static final double TWO_COLUMNS = 180 / 25.4 * 72;

    public Chart {
        int panels = columns.size();
        if (rows.stream().anyMatch(row -> row.panels().size() != panels)) {
            throw new IllegalArgumentException("each row of the chart must have " + panels + " panels");
        }
    }

    /** Creates a chart of one column without a title above it. */
    public Chart(String title, double width, Axis horizontal, List<Row> rows, List<Entry> legend, List<String> notes) {
        this(title, width, List.of(new Column("", horizontal)), rows, legend, notes);
    }

    /** Returns this chart with more paragraphs below. */
    public Chart withNotes(List<String> added) {
        return new Chart(
                title,
                width,
                columns,
                rows,
                legend,
                Stream.concat(notes.stream(), added.stream()).toList());
    }

    /**
     * A column of panels.
     *
     * @param title above it, or ""
     */
    public record Column(String title, Axis axis) {}

    /**
     * A row of panels.
     *
     * @param height of the panels in points
     * @param panels the data in each frame: layers from bottom to top
     */
    public record Row(Axis axis, double height, List<List<Layer>> panels) {
        /** Returns a row of one panel. */
        public static Row of(Axis axis, double height, List<Layer> layers) {
            return new Row(axis, height, List.of(layers));
        }
    }

    /** A line of the legend. */
    public record Entry(String label, Sample sample) {}

    /** A sample of a style next to a label of the legend. */
    public sealed interface Sample permits LineStyle, Mark, Fill {
        /** Paints the sample from x to x + width, its middle at y. */
        void paintSample(Canvas canvas, double x, double y, double width);
    }
}
