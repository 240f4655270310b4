package org.lagbench.analysis.matrix;

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
        return of(probability, CONFIDENCE);
    }

    /** Returns the verdict for a probability, with a different minimum from {@link #CONFIDENCE}. */
    static Sharing of(double probability, double confidence) {
        return probability >= confidence ? SHARED : probability <= 1 - confidence ? APART : UNCERTAIN;
    }

    /** Returns the name in files and tables. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
