package org.lagbench.report.table;

/**
 * A column of a table.
 *
 * @param group what stands above it and its neighbours, or ""
 * @param header what stands above its values
 * @param unit of its values, or ""
 * @param isText whether its values are words rather than numbers, and so begin at the left
 */
public record Column(String group, String header, String unit, boolean isText) {
    /** A column of words. */
    public static Column text(String header) {
        return new Column("", header, "", true);
    }

    /** A column of words below a group. */
    public static Column text(String group, String header) {
        return new Column(group, header, "", true);
    }

    /** A column of numbers. */
    public static Column number(String header, String unit) {
        return new Column("", header, unit, false);
    }

    /** A column of numbers below a group. */
    public static Column number(String group, String header, String unit) {
        return new Column(group, header, unit, false);
    }
}
