package org.lagbench.report.table;

/**
 * A column of a table.
 *
 * @param group the heading that it shares with its neighbors, or ""
 * @param unit of its values, or ""
 * @param isText whether its values are text, aligned left
 */
public record Column(String group, String header, String unit, boolean isText) {}
