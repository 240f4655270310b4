package org.lagbench.analysis.media;

import org.lagbench.analysis.media.PlayoutBudget.LateCountInterval;

/** A share of late packets for which a playout delay is computed. */
public enum LateTarget {
    FIVE_PERCENT(500, "5 %"),
    ONE_PERCENT(100, "1 %"),
    TENTH_PERCENT(10, "0.1 %"),
    HUNDREDTH_PERCENT(1, "0.01 %");

    private static final int WHOLE = 10_000;

    private final int tenThousandths;
    private final String text;

    LateTarget(int tenThousandths, String text) {
        this.tenThousandths = tenThousandths;
        this.text = text;
    }

    /** Returns the share, from 0 to 1. */
    public double share() {
        return tenThousandths / (double) WHOLE;
    }

    public String text() {
        return text;
    }

    /** Returns the number of packets that may be late. */
    long allowedLate(long packets) {
        return packets / WHOLE * tenThousandths + packets % WHOLE * tenThousandths / WHOLE;
    }

    /** Returns the number of independent packets that a two-sided interval of 95 % confidence needs. */
    public long packetsNeeded() {
        return LateCountInterval.packetsNeeded(share());
    }
}
