package org.lagbench.analysis.bottleneck;

import java.util.Locale;

/** Whether two flows share a bottleneck. */
public enum Sharing {
    SHARED,
    APART,
    /** The flows show too little, such as no congestion. */
    UNCERTAIN;

    /** The least probability with which a test says that two flows share a bottleneck, or that they do not. */
    static final double CONFIDENCE = 0.95;

    /** Returns the verdict with a probability that the bottleneck is shared; NaN if it is unknown. */
    static Sharing of(double probability) {
        return probability >= CONFIDENCE ? SHARED : probability <= 1 - CONFIDENCE ? APART : UNCERTAIN;
    }

    /** Returns the name in files and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
