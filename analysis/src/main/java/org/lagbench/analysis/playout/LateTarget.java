package org.lagbench.analysis.playout;

/** A share of late packets for which a playout delay is computed. */
public enum LateTarget {
    /** 5 %. */
    FIVE_PERCENT(500, "5 %"),
    /** 1 %. */
    ONE_PERCENT(100, "1 %"),
    /** 0.1 %. */
    TENTH_PERCENT(10, "0.1 %"),
    /** 0.01 %. */
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

    /** Returns the share as text. */
    public String text() {
        return text;
    }

    /** Returns how many of so many packets may be late. */
    long allowedLate(long packets) {
        return packets / WHOLE * tenThousandths + packets % WHOLE * tenThousandths / WHOLE;
    }

    /** Returns how many independent packets a two-sided interval of 95 % confidence needs. */
    public long packetsNeeded() {
        return LateCountInterval.packetsNeeded(share());
    }
}
