package org.lagbench.analysis.matrix;

import org.lagbench.core.model.TextEnum;

/** Whether two flows share a bottleneck. */
public enum Sharing implements TextEnum {
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
}
