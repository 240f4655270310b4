package org.lagbench.analysis.summary;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a summary holds beyond lags, where it is asked for: each takes passes of its own over the captures. */
public enum Detail {
    /** All series but the transmit lag. */
    COMPANIONS,
    /** The multimedia metrics. */
    MEDIA,
    /** The playout budget. */
    PLAYOUT,
    /** What made the tail of the lag. */
    CAUSES,
    /** Where the packets' time went. */
    STAGES,
    /** What streams that were sent at the same time did to each other. */
    STREAMS;

    /** All there are. */
    public static final Set<Detail> ALL = Collections.unmodifiableSet(EnumSet.allOf(Detail.class));
}
