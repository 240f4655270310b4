package org.lagbench.core.series;

/**
 * Describes a series.
 *
 * @param name its name, unique in the session, of letters, digits, dots and hyphens; its files begin with it
 * @param title its name as shown to users
 * @param unit unit of its values, such as {@code ns} or {@code Mb/s}
 * @param everyNs the time between two records in ns
 * @param domain the values that it can have
 */
public record SeriesInfo(String name, String title, String unit, long everyNs, Domain domain) {}
