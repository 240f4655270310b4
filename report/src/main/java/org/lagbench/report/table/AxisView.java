package org.lagbench.report.table;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.transfer.TransferGroups;
import org.lagbench.core.failure.LagbenchException;

/** A view that compares the values of an axis. */
abstract class AxisView extends View {
    AxisView(String name, int order) {
        super(name, order);
    }

    abstract Result result(Summary summary, Between between) throws LagbenchException;

    @Override
    final Result result(Summary summary, TableView view) throws LagbenchException {
        return result(summary, Objects.requireNonNull(view.between()));
    }

    @Override
    public final Set<MetricGroup<?>> needs() {
        return Set.of(MetricGroup.SERIES, TransferGroups.TRANSFERS);
    }

    @Override
    public final boolean isComparison() {
        return true;
    }

    @Override
    protected final List<Table> tables(PointRows rows) {
        throw new UnsupportedOperationException(name() + " compares the values of an axis");
    }

    @Override
    protected final List<String> notes(PointRows rows) {
        return List.of();
    }
}
