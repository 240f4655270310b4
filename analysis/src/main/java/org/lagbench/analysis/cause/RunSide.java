package org.lagbench.analysis.cause;

import java.util.Locale;

/** On which side of a run something went on. */
public enum RunSide {
    /** Where packets are sent. */
    SENDER,
    /** Where they are received. */
    RECEIVER;

    /** The name in files and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
