package org.lagbench.report.table;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;

/** The tables of a summary to show. */
public enum View {
    /** Loss, lag, inter-packet delay and packet counts. */
    LAG(new LagView()),
    /** The round trips of packets that were answered. */
    ROUND_TRIP(new RoundTripView()),
    /** The lag table in the paper's form. */
    PAPER(new PaperView()),
    /** The sizes of the socket buffers. */
    BUFFERS(new BufferView()),
    /** The multimedia metrics, each by its RFC. */
    MEDIA(new MediaView()),
    /** The delay that a receiver needs for playout. */
    PLAYOUT(new PlayoutView()),
    /** The causes of the tail of the lag and of losses. */
    CAUSES(new CausesView()),
    /** The time that packets spent in each stage, and the fill level of the buffers. */
    STAGES(new StageView()),
    /** The effects of concurrent streams on each other. */
    STREAMS(new StreamView()),
    /** The throughput of transfers, and what limited them. */
    TRANSFER(new TransferView()),
    /** The durations of compressed transfers, measured and as predicted by the models. */
    COMPRESSION(new CompressionView()),
    /** The values of an axis, each as ratios to one of them. */
    COMPARE(new ComparisonView()),
    /** The values of an axis as series over the repeats. */
    EQUIVALENCE(new EquivalenceView());

    @SuppressWarnings("ImmutableEnumChecker") // stateless
    private final ViewContent content;

    View(ViewContent content) {
        this.content = content;
    }

    ViewContent content() {
        return content;
    }

    /** Returns the groups of metrics that it needs of those that are computed on request. */
    public Set<MetricGroup<?>> needs() {
        return content.needs();
    }

    /** Returns the content of a view of points. */
    SummaryView ofPoints() {
        if (content instanceof SummaryView ofPoints) {
            return ofPoints;
        }
        throw new IllegalArgumentException(text() + " compares the values of an axis");
    }

    /** Returns whether it compares the values of an axis, which it needs. */
    public boolean isComparison() {
        return !(content instanceof SummaryView);
    }

    /** Returns the views of the points of a summary. */
    public static List<View> allOfPoints() {
        return Stream.of(values()).filter(view -> !view.isComparison()).toList();
    }

    /** Returns the name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
