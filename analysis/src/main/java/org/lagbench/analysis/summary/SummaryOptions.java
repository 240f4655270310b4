package org.lagbench.analysis.summary;

import java.util.Set;
import org.lagbench.analysis.cause.Tail;

/**
 * The contents of a summary.
 *
 * @param includeBroken whether broken and interrupted runs are pooled with the complete ones, as far as they were
 *     recorded
 * @param corrected whether the transmit lag is also corrected by the estimated clock offset
 * @param tail the values of the lag that are attributed to causes
 * @param details the parts beyond lags
 */
public record SummaryOptions(boolean includeBroken, boolean corrected, Tail tail, Set<Detail> details) {
    /** The default: complete runs, raw lags, all details. */
    public static final SummaryOptions DEFAULT = new SummaryOptions(false, false);

    public SummaryOptions {
        details = Set.copyOf(details);
    }

    /** Creates options with all details. */
    public SummaryOptions(boolean includeBroken, boolean corrected, Tail tail) {
        this(includeBroken, corrected, tail, Detail.ALL);
    }

    /** Creates options with all details and the default tail. */
    public SummaryOptions(boolean includeBroken, boolean corrected) {
        this(includeBroken, corrected, Tail.DEFAULT);
    }

    boolean includes(Detail detail) {
        return details.contains(detail);
    }
}
