package org.lagbench.analysis.export;

/**
 * A column of a {@link PacketTable}.
 *
 * @param name its name, with the unit in it where there is one
 * @param unit the unit, or what the numbers mean
 * @param mayBeAbsent whether a row may have no value in it
 */
record PacketColumn(String name, String unit, boolean mayBeAbsent) {}
