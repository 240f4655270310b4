package org.lagbench.core.run;

import java.util.Set;
import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;

/** Recordings that a run can make besides the stamps of its packets. */
@EnumNaming(EnumNamingStrategies.KebabCaseStrategy.class)
public enum Observation implements TextEnum {
    /** What delayed the two processes: garbage collection, compilation, the scheduler. Delays packets by some µs. */
    CAUSES,
    /** When the kernel handled each packet. */
    STAGES,
    /**
     * Causes where that adds little to the lag: of all packets, in windows that follow the packets asked for, or
     * nothing. The sides of each run decide.
     */
    AUTO;

    /** The key of an experiment. */
    public static final String KEY = "observe";

    /** The decision of both sides with {@link #AUTO}, if it is to observe the packets asked for. */
    public static final String ALL_PACKETS = "all packets";

    /** Their decision, if it is to observe windows after the packets asked for. */
    public static final String WINDOWS = "windows";

    /** The word for no observation. */
    public static final String NOTHING = "nothing";

    /** The observations of an experiment that names none. */
    public static final Set<Observation> DEFAULT = Set.of(AUTO);
}
