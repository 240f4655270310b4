package org.lagbench.report.table;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Registry;

/**
 * A view of a summary: its tables, the notes below them, and the metrics in them. Registered by a line in
 * {@code META-INF/services/org.lagbench.report.table.View} and found by {@link Views}. Implementations have a public
 * constructor without arguments, and no state.
 */
public abstract class View implements Registry.Named {
    private final String name;
    private final int order;
    private final Set<MetricGroup<?>> groups;

    /**
     * Declares a view.
     *
     * @param name on the command line
     * @param order the position in lists and reports, from 0
     * @param groups what the tables consist of
     */
    protected View(String name, int order, MetricGroup<?>... groups) {
        this.name = name;
        this.order = order;
        this.groups = Set.of(groups);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int order() {
        return order;
    }

    /**
     * Returns the groups of metrics that the view shows. In CSV and JSON, no others are written except the groups of
     * every view.
     */
    final Set<MetricGroup<?>> groups() {
        return groups;
    }

    /** Returns the groups of metrics that the view needs and that are computed only on request. */
    public Set<MetricGroup<?>> needs() {
        return groups;
    }

    /** Returns the tables. */
    protected abstract List<Table> tables(PointRows rows);

    /** Returns the notes below the tables. */
    protected abstract List<String> notes(PointRows rows);

    /** Returns whether it is printed below another view, which says what ran. */
    boolean isBelowAnother() {
        return false;
    }

    /** Returns the part of a summary that this view shows. */
    Result result(Summary summary, TableView view) throws LagbenchException {
        return SummaryDocument.result(summary, view);
    }

    /** Returns of which summaries it is the view if none was requested, and no later view is; null if of none. */
    @Nullable
    Predicate<Summary> defaultFor() {
        return null;
    }

    /** Returns whether reports have a section of it, if it has rows. */
    public boolean isInReports() {
        return !isComparison();
    }

    /** Returns whether it is of a set of packets, which {@link TableView#of()} names. */
    public boolean isOfPackets() {
        return false;
    }

    /** Returns whether it compares the values of an axis, which it needs. */
    public boolean isComparison() {
        return false;
    }
}
