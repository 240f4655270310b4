package org.lagbench.report.table;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.TextEnum;

/** The tables of a summary to show: for each view, its tables, the notes below them, and the metrics in them. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
public enum View implements TextEnum {
    /** Loss, lag, inter-packet delay and packet counts. */
    LAG(LagView::tables, TableNotes::ofLags, LagView.GROUPS, LagView.GROUPS),
    /** The round trips of packets that were answered. */
    ROUND_TRIP(RoundTripView::tables, RoundTripView::notes, MetricGroup.SERIES, MetricGroup.ROUND_TRIPS),
    /** The lag table in the form of Norris and Miller's paper. */
    PAPER(LagView::paperTables, TableNotes::ofPaper, LagView.GROUPS, Set.of()),
    /** The sizes of the socket buffers, and their fill levels. */
    BUFFERS(BufferView::tables, BufferView::notes, MetricGroup.BUFFERS, MetricGroup.OCCUPANCY),
    /** The multimedia metrics, each by its RFC. */
    MEDIA(MediaView::tables, MediaView::notes, MetricGroup.MEDIA),
    /** The cost of repairing losses, and the losses that remain. */
    RECOVERY(RecoveryView::tables, RecoveryView::notes, MetricGroup.RECOVERY),
    /** The delay that a receiver needs for playout. */
    PLAYOUT(MediaView::playoutTables, MediaView::playoutNotes, MetricGroup.PLAYOUT),
    /** Where the lags of a set of packets went, and the causes of losses. */
    LEDGER(
            LedgerView::tables,
            LedgerNotes::notes,
            Set.of(MetricGroup.LEDGER),
            Set.of(MetricGroup.LEDGER, MetricGroup.SERIES)),
    /** The effects of concurrent streams on each other. */
    STREAMS(StreamView::tables, StreamView::notes, MetricGroup.STREAMS),
    /** The throughput of transfers, and what limited them. */
    TRANSFER(TransferView::tables, TransferView::notes, MetricGroup.TRANSFERS),
    /** The durations of compressed transfers, measured and as predicted by the models. */
    COMPRESSION(CompressionView::tables, CompressionView::notes, MetricGroup.TRANSFERS),
    /** The metrics of each value of an axis, as ratios to the baseline value's. */
    COMPARE(ComparisonView::result),
    /** The values of an axis as series over the repeats. */
    EQUIVALENCE(EquivalenceReport.OfAxis::result);

    private final @Nullable Function<PointRows, List<Table>> tables;
    private final Function<PointRows, List<String>> notes;
    private final Set<MetricGroup<?>> groups;
    private final Set<MetricGroup<?>> needs;
    private final @Nullable Comparing comparing;

    /** Compares the values of an axis. */
    @FunctionalInterface
    private interface Comparing {
        Result of(Summary summary, Between between) throws LagbenchException;
    }

    /** Declares a view of points whose tables consist of these groups of metrics. */
    View(Function<PointRows, List<Table>> tables, Function<PointRows, List<String>> notes, MetricGroup<?>... groups) {
        this(tables, notes, Set.of(groups), Set.of(groups));
    }

    /** Declares a view of points whose tables are not made of exactly the groups of metrics that it needs. */
    View(
            Function<PointRows, List<Table>> tables,
            Function<PointRows, List<String>> notes,
            Set<MetricGroup<?>> groups,
            Set<MetricGroup<?>> needs) {
        this.tables = tables;
        this.notes = notes;
        this.groups = groups;
        this.needs = needs;
        this.comparing = null;
    }

    View(Comparing comparing) {
        this.tables = null;
        this.notes = rows -> List.of();
        this.groups = Set.of();
        this.needs = ComparisonView.NEEDS;
        this.comparing = comparing;
    }

    /** Returns the groups of metrics that the view needs and that are computed only on request. */
    public Set<MetricGroup<?>> needs() {
        return needs;
    }

    /**
     * Returns the groups of metrics that the view shows. In CSV and JSON, no others are written except the groups of
     * every view.
     */
    Set<MetricGroup<?>> groups() {
        return groups;
    }

    /** Returns the tables of a view of points. */
    List<Table> tables(PointRows rows) {
        return Objects.requireNonNull(tables, () -> text() + " compares the values of an axis")
                .apply(rows);
    }

    /** Returns the notes below the tables of a view of points. */
    List<String> notes(PointRows rows) {
        return notes.apply(rows);
    }

    /** Returns the part of a summary that this view shows. */
    Result result(Summary summary, TableView view) throws LagbenchException {
        return comparing == null
                ? SummaryDocument.result(summary, view)
                : comparing.of(summary, Objects.requireNonNull(view.between()));
    }

    /** Returns whether it compares the values of an axis, which it needs. */
    public boolean isComparison() {
        return comparing != null;
    }

    /** Returns the views of the points of a summary. */
    public static List<View> allOfPoints() {
        return Stream.of(values()).filter(view -> !view.isComparison()).toList();
    }

    /** Returns the view of a summary for which none was requested. */
    public static View defaultOf(Summary summary) {
        boolean areTransfers = !summary.points().isEmpty()
                && summary.points().stream().allMatch(point -> point.pooled().get(MetricGroup.TRANSFERS) != null);
        boolean areAnswered =
                summary.points().stream().anyMatch(point -> point.point().isRoundTrip());
        return areTransfers ? TRANSFER : areAnswered ? ROUND_TRIP : LAG;
    }
}
