package org.lagbench.analysis.cause;

import java.util.Locale;

/** A side of a run: the sender or the receiver. */
public enum RunSide {
    SENDER,
    RECEIVER;

    /** Returns the name in files and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
