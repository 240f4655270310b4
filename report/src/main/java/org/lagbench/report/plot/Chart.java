package org.lagbench.report.plot;

import java.util.List;

/**
 * What is to be drawn: panels in rows and columns. The panels of a row have one vertical axis and those of a column one
 * horizontal axis, so that what is side by side is on equal scales.
 *
 * @param title what it shows
 * @param width in points
 * @param columns from left to right
 * @param rows from above, each with a panel for each column
 * @param legend what the lines, marks and fills are
 * @param notes what is said below, a paragraph each
 */
public record Chart(
        String title, double width, List<Column> columns, List<Row> rows, List<Entry> legend, List<String> notes) {
    /** A column of a journal's page: 88 mm. */
    public static final double ONE_COLUMN = 88 / 25.4 * 72;

    /** Both columns of a journal's page: 180 mm. */
    public static final double TWO_COLUMNS = 180 / 25.4 * 72;

    public Chart {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        legend = List.copyOf(legend);
        notes = List.copyOf(notes);
        int panels = columns.size();
        if (rows.stream().anyMatch(row -> row.panels().size() != panels)) {
            throw new IllegalArgumentException("a row that has not " + panels + " panels");
        }
    }

    /**
     * What the panels above each other have in common.
     *
     * @param title written above; empty if nothing
     * @param axis the horizontal axis
     */
    public record Column(String title, Axis axis) {}

    /**
     * Panels side by side.
     *
     * @param axis their vertical axis
     * @param height of the panels in points
     * @param panels what is in each, from left to right
     */
    public record Row(Axis axis, double height, List<Panel> panels) {
        public Row {
            panels = List.copyOf(panels);
        }
    }

    /**
     * What is drawn in one frame.
     *
     * @param layers from below
     */
    public record Panel(List<Layer> layers) {
        public Panel {
            layers = List.copyOf(layers);
        }
    }

    /**
     * A line of the legend.
     *
     * @param label what it is
     * @param sample how it looks
     */
    public record Entry(String label, Sample sample) {}
}
