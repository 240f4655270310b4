package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.UntrustedText;

/**
 * A table for users. Its texts are escaped.
 *
 * @param columns those of one group side by side
 * @param rows with one cell for each column
 * @param axes number of leading columns that name the point of a row: its network, its packet size, and others; 0 if
 *     rows are not of points
 */
public record Table(String title, List<Column> columns, List<List<String>> rows, int axes) {
    public Table {
        title = UntrustedText.escape(title);
        rows = rows.stream()
                .map(row -> row.stream().map(UntrustedText::escape).toList())
                .toList();
    }

    /** Creates a table whose rows are not of points. */
    public Table(String title, List<Column> columns, List<List<String>> rows) {
        this(title, columns, rows, 0);
    }

    /**
     * A group of neighboring columns.
     *
     * @param title its heading, or ""
     * @param first the index of its first column
     */
    public record Group(String title, int first, int columns) {}

    /** Returns the groups of all columns; none if no column has a group. */
    public List<Group> groups() {
        return groups(columns);
    }

    /** Returns the groups of some columns; none if no column has a group. */
    static List<Group> groups(List<Column> columns) {
        List<Group> groups = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            String title = columns.get(i).group();
            Group last = groups.isEmpty() ? null : groups.get(groups.size() - 1);
            if (last != null && last.title().equals(title)) {
                groups.set(groups.size() - 1, new Group(title, last.first(), last.columns() + 1));
            } else {
                groups.add(new Group(title, i, 1));
            }
        }
        return groups.stream().allMatch(group -> group.title().isEmpty()) ? List.of() : groups;
    }

    /**
     * A column of a table, whose texts are escaped.
     *
     * @param group the heading that it shares with its neighbors, or ""
     * @param unit of its values, or ""
     * @param isText whether its values are text, aligned left
     */
    public record Column(String group, String header, String unit, boolean isText) {
        public Column {
            group = UntrustedText.escape(group);
            header = UntrustedText.escape(header);
            unit = UntrustedText.escape(unit);
        }

        /** Returns this column with another unit. */
        Column in(TimeScale scale) {
            return new Column(group, header, scale.symbol(), isText);
        }
    }
}
