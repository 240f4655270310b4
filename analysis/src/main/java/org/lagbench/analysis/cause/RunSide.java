package org.lagbench.analysis.cause;

import java.util.Locale;

/** A side of a run. */
public enum RunSide {
    SENDER,
    RECEIVER;

    /** Returns the name in files and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
