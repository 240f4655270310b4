package org.lagbench.analysis.summary;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** A part of a summary beyond lags. Each takes extra passes through the captures. */
public enum Detail {
    /** All series other than the transmit lag: inter-packet delays, lateness, lag from the scheduled time. */
    COMPANIONS,
    /** The multimedia metrics. */
    MEDIA,
    /** The playout budget. */
    PLAYOUT,
    /** The causes of the tail of the lag. */
    CAUSES,
    /** The stages of the lag. */
    STAGES,
    /** The effects of concurrent streams on each other. */
    STREAMS,
    /** The throughput of transfers. */
    TRANSFERS;

    public static final Set<Detail> ALL = Collections.unmodifiableSet(EnumSet.allOf(Detail.class));
}
