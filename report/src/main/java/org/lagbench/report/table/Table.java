package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;

/**
 * A table for people.
 *
 * @param columns those of one group side by side
 * @param rows with one cell for each column
 */
public record Table(String title, List<Column> columns, List<List<String>> rows) {
    /**
     * A group of neighboring columns.
     *
     * @param title its heading, or ""
     * @param first the index of its first column
     */
    public record Group(String title, int first, int columns) {}

    /** Returns the groups of all columns; none if no column has a group. */
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
