package org.lagbench.analysis.bottleneck;

import java.util.Locale;

/** Whether two flows share a bottleneck. */
public enum Sharing {
    SHARED,
    APART,
    /** The data allow no verdict, for example because there is no congestion. */
    UNCERTAIN;

    /** The minimum probability for a verdict. */
    static final double CONFIDENCE = 0.95;

    /** Returns the verdict for a probability that the bottleneck is shared; UNCERTAIN if it is NaN. */
    static Sharing of(double probability) {
        return probability >= CONFIDENCE ? SHARED : probability <= 1 - CONFIDENCE ? APART : UNCERTAIN;
    }

    /** Returns the name in files and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
