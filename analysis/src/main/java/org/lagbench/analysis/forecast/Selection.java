package org.lagbench.analysis.forecast;

import java.util.Locale;

/** How the forecaster of the next value is selected from those of the Network Weather Service. */
public enum Selection {
    /** The primary forecaster with the lowest mean squared error of all values so far (Krintz and Wolski 2000). */
    PAPER,
    /** The derived forecaster with the lowest squared error accumulated so far, as the Network Weather Service does. */
    NWS,
    /** The primary forecaster with the lowest mean absolute error of all values so far. */
    MAE;

    /** Returns the name in files and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
