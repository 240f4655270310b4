package org.lagbench.analysis.forecast;

import java.util.Locale;

/** Where a forecaster comes from. */
public enum ForecasterKind {
    /** One of the 18 of the Network Weather Service that compute a forecast from values. */
    PRIMARY,
    /** One of the 16 of the Network Weather Service that select a primary one by its past errors. */
    DERIVED,
    /** Not of the Network Weather Service. */
    FURTHER;

    /** Returns the name in files and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
