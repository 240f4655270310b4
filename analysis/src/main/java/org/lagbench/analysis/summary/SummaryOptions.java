package org.lagbench.analysis.summary;

import java.util.Set;
import org.lagbench.analysis.statistics.Tail;

/**
 * The contents of a summary.
 *
 * @param includeBroken whether broken and interrupted runs are pooled with the complete ones, as far as they were
 *     recorded
 * @param corrected whether the transmit lag is also corrected by the estimated clock offset
 * @param tail the values of the lag that are attributed to causes
 * @param groups the groups of metrics that are computed on request; of {@link MetricGroup#SERIES}, all series
 */
public record SummaryOptions(boolean includeBroken, boolean corrected, Tail tail, Set<MetricGroup<?>> groups) {
    /** The default: complete runs, raw lags, all groups. */
    public static final SummaryOptions DEFAULT = new SummaryOptions(all());

    public SummaryOptions {
        groups = Set.copyOf(groups);
    }

    /** Creates options for the raw lags of complete runs. */
    public SummaryOptions(Set<MetricGroup<?>> groups) {
        this(false, false, Tail.DEFAULT, groups);
    }

    /** Creates options with all groups and the default tail. */
    public SummaryOptions(boolean includeBroken, boolean corrected) {
        this(includeBroken, corrected, Tail.DEFAULT, all());
    }

    /** Returns all groups of runs and of sessions. */
    public static Set<MetricGroup<?>> all() {
        return Set.copyOf(MetricGroups.ALL);
    }

    boolean includes(MetricGroup<?> group) {
        return groups.contains(group);
    }
}
