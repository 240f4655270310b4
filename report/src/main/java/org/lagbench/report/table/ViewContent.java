package org.lagbench.report.table;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Figures;
import tools.jackson.databind.node.ObjectNode;

/** What one {@link View} shows to people, and what it adds to the files. */
interface ViewContent {
    /** What of a summary its tables show beyond the transmit lag. */
    default Set<Detail> details() {
        return Set.of();
    }

    /**
     * The tables that people read.
     *
     * @param allSeries whether companions of the first were asked for
     */
    List<Table> tables(PointRows rows, boolean allSeries);

    /** What is said below the tables, each a sentence or more. */
    List<String> notes(PointRows rows);

    /**
     * Puts its columns, beyond those of lags that are in every row, into a row of the CSV; the same names always, empty
     * where there are no figures.
     *
     * @param figures what the row is of; null if there is nothing
     */
    default void putCsv(Map<String, String> row, @Nullable Figures figures) {}

    /**
     * Puts its members, beyond those of lags, into the figures of the JSON, as {@code summary.schema.json} has them.
     */
    default void putJson(ObjectNode node, Figures figures) {}
}
