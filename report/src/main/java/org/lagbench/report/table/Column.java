package org.lagbench.report.table;

import org.lagbench.core.text.ForeignText;

/**
 * A column of a table, whose texts are made printable.
 *
 * @param group the heading that it shares with its neighbors, or ""
 * @param unit of its values, or ""
 * @param isText whether its values are text, aligned left
 */
public record Column(String group, String header, String unit, boolean isText) {
    public Column {
        group = ForeignText.escape(group);
        header = ForeignText.escape(header);
        unit = ForeignText.escape(unit);
    }
}
