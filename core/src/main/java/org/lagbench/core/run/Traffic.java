package org.lagbench.core.run;

import org.lagbench.core.model.TextEnum;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.annotation.EnumNaming;

/** The kinds of traffic of a run. */
@EnumNaming(EnumNamingStrategies.KebabCaseStrategy.class)
public enum Traffic implements TextEnum {
    /** The sender sends, the receiver receives. */
    ONE_WAY,
    /** The receiver answers each packet. */
    ROUND_TRIP,
    /** The sender sends a block of bytes in pieces, and the receiver answers once it has received all of them. */
    TRANSFER
}
