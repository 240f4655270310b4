package org.lagbench.core.run;

import java.util.Set;
import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;

/**
 * What a run records besides the stamps of its packets: a source, or a word for several. A recorder asks
 * {@link Point#records} for its source; what it needs of this machine, it finds out itself, and its entries in
 * {@code run.json} say why it recorded nothing.
 */
@EnumNaming(EnumNamingStrategies.KebabCaseStrategy.class)
public enum ObservedSource implements TextEnum {
    /** Waits of the packet thread for a CPU, with the programs that ran instead; stops by signals, CPU quotas. */
    SCHEDULER,
    /** The collections, safepoints and compilations of a JVM that moves packets. */
    JVM,
    /** When each packet left for the driver of the sender's device. */
    DEPARTURES,
    /** When each packet reached the receiving kernel. */
    ARRIVALS,
    /** Which packets the receiving kernel dropped, when and why. */
    DROPS,
    /** When the sending kernel retransmitted a TCP segment, or waited because the receiver's window was full. */
    RETRANSMISSIONS,
    /**
     * When the kernel handled each packet on its way, by the stamps of the socket itself (SO_TIMESTAMPING); also the
     * fill levels of the socket's buffers.
     */
    TIMESTAMPING,
    /** Each source of {@linkplain #isEvent() events}, of all packets. */
    EVENTS,
    /**
     * {@link #EVENTS} where they add little to the lag: of all packets, in windows that follow the packets asked for,
     * or not at all. The sides of each run decide.
     */
    AUTO;

    /** The key of an experiment. */
    public static final String KEY = "observe";

    /** The sources of an experiment that names none. */
    public static final Set<ObservedSource> DEFAULT = Set.of(AUTO);

    /** Returns whether {@link #EVENTS} and {@link #AUTO} record it. */
    public boolean isEvent() {
        return this != TIMESTAMPING && this != AUTO;
    }

    /** Returns whether it records such traffic. */
    public boolean isOf(Traffic traffic) {
        return traffic == Traffic.ONE_WAY || (this != ARRIVALS && this != TIMESTAMPING);
    }

    /** Returns whether it records the packets of an engine. */
    public boolean isOf(Engine engine) {
        return this != TIMESTAMPING || engine.stampsDepartures();
    }
}
