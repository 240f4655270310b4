package org.lagbench.analysis.cause;

import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.model.TextEnum;

/** A set of packets of a run, of which ledgers are summed. */
public enum PacketSet implements TextEnum {
    /** Each packet that arrived. */
    ALL,
    /** Those whose lags are next to the median. */
    MEDIAN,
    /** The slow packets: those above the quantile of the {@link Tail}. */
    TAIL
}
