package org.lagbench.analysis.forecast;

import java.util.Locale;

/** Where a forecaster comes from. */
public enum ForecasterKind {
    /** A forecaster of the Network Weather Service that computes its forecast from values; there are 18. */
    PRIMARY,
    /** A forecaster of the Network Weather Service that selects a primary one by its past errors; there are 16. */
    DERIVED,
    /** A forecaster that the Network Weather Service does not have. */
    FURTHER;

    /** Returns the name in files and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
