package org.lagbench.report.table;

import java.util.List;

/**
 * Tables with the notes below them.
 *
 * @param tables in their order
 * @param marks what must not be missed below any of them, each a sentence or more
 * @param notes what a reader must know of all of them, each a sentence or more
 */
public record Document(List<Table> tables, List<String> marks, List<String> notes) {}
