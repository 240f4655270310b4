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
    /** Causes where that adds little to the lag: in windows that follow the packets asked for, or of all packets. */
    AUTO;

    /** The word for no observation. */
    public static final String NOTHING = "nothing";

    /** The observations of an experiment that names none. */
    public static final Set<Observation> DEFAULT = Set.of();
}
