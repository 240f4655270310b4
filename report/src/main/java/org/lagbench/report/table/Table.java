package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;

/**
 * A table to be read by people.
 *
 * @param title what it shows
 * @param columns its columns; those of one group stand side by side
 * @param rows its rows, each with a cell a column
 */
public record Table(String title, List<Column> columns, List<List<String>> rows) {
    /**
     * Columns of one group side by side.
     *
     * @param title the group, or ""
     * @param first the index of the first of them
     * @param columns how many there are
     */
    public record Group(String title, int first, int columns) {}

    /** Returns the line of groups above the headers; empty if no column has a group. */
    public List<Group> groups() {
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
}
