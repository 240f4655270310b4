package org.lagbench.analysis.cause;

import java.util.Locale;

/** A side of a run. */
public enum RunSide {
    /** The side that sends packets. */
    SENDER,
    /** The side that receives them. */
    RECEIVER;

    /** Returns the name in files and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
