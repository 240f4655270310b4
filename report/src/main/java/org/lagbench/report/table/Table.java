package org.lagbench.report.table;

import java.util.List;

/**
 * A table to be read by people.
 *
 * @param title what it shows
 * @param columns its columns; those of one group stand side by side
 * @param rows its rows, each with a cell a column
 */
public record Table(String title, List<Column> columns, List<List<String>> rows) {}
