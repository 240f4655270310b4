package org.lagbench.analysis.playout;

/** A share of late packets that a playout delay is wanted for. */
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

    /** The share, from 0 to 1. */
    public double share() {
        return tenThousandths / (double) WHOLE;
    }

    /** The share for people. */
    public String text() {
        return text;
    }

    /** How many of so many packets may be late. */
    long mayBeLate(long packets) {
        return packets / WHOLE * tenThousandths + packets % WHOLE * tenThousandths / WHOLE;
    }

    /** How many packets it takes, were they independent, for an interval of 95 % confidence with two ends. */
    public long packetsNeeded() {
        return LateCountInterval.packetsNeeded(share());
    }
}
