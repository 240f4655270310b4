package org.lagbench.core.clock;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * What chronyd says of the clock that it keeps, as {@code chronyc tracking} shows it. The figures in ns are exactly
 * those that chronyd sent: its 24-bit coefficients times 10⁹ fit into a double, so that nothing was rounded.
 *
 * @param referenceId what the clock follows, 8 hexadecimal digits: for IPv4 the server's address,
 *     {@link #LOCAL_REFERENCE} for the host's own clock
 * @param referenceAddress address of the server that the clock follows; null if it follows none
 * @param stratum servers between this clock and a reference clock, plus one; 0 if unsynchronized
 * @param leap whether a leap second is due, or the clock is not synchronized
 * @param referenceTimeNs when the clock was last updated from its reference, in ns since the epoch; 0 if never
 * @param correctionNs what chronyd would add to the clock's reading to have the true time: above 0, the clock is slow
 * @param lastOffsetNs the clock's offset as estimated at the last update; above 0, the clock was slow
 * @param rmsOffsetNs long-term average of the offset
 * @param frequencyPpm by how much the clock would run wrong without chronyd: above 0, fast
 * @param residualFrequencyPpm difference between the rate the reference shows and the one now used
 * @param skewPpm estimated error of the rate
 * @param rootDelayNs network delay to the reference clock and back, of all the way
 * @param rootDispersionNs what the error may have grown to on the way and since the last update
 * @param updateIntervalS time between the last two updates; 0 if there were none
 */
public record ChronyTracking(
        String referenceId,
        @Nullable String referenceAddress,
        int stratum,
        Leap leap,
        long referenceTimeNs,
        double correctionNs,
        double lastOffsetNs,
        double rmsOffsetNs,
        double frequencyPpm,
        double residualFrequencyPpm,
        double skewPpm,
        double rootDelayNs,
        double rootDispersionNs,
        double updateIntervalS) {
    /** The reference identifier 127.127.1.1 of a chronyd that takes its own clock for true ({@code local stratum}). */
    public static final String LOCAL_REFERENCE = "7F7F0101";

    /** Of 73 years, so that bounds can be added. */
    private static final BigDecimal LARGEST_BOUND_NS = BigDecimal.valueOf(1L << 61);

    /** The leap indicator of RFC 5905, figure 9. */
    public enum Leap {
        /** No leap second is due. */
        NORMAL,
        /** The last minute of the day has 61 seconds. */
        INSERT_SECOND,
        /** The last minute of the day has 59 seconds. */
        DELETE_SECOND,
        /** The clock is not synchronized. */
        UNSYNCHRONIZED
    }

    /**
     * How far the clock may be from its reference's time, in ns, rounded up: |correction| + root dispersion + root
     * delay / 2, the maximum error of RFC 5905 section 11.2 with what is not yet corrected. Half the delay covers any
     * asymmetry of the path.
     */
    public long boundNs() {
        return ceiling(exact(Math.abs(correctionNs)).add(errorOfCorrection()));
    }

    /** How far the clock plus {@link #correctionNs} may be from its reference's time, in ns, rounded up. */
    public long correctedBoundNs() {
        return ceiling(errorOfCorrection());
    }

    /** Whether chronyd takes this host's own clock for true, so that its bound says nothing of another host's. */
    public boolean isLocalReference() {
        return referenceId.equals(LOCAL_REFERENCE);
    }

    private BigDecimal errorOfCorrection() {
        return exact(rootDispersionNs).add(exact(rootDelayNs / 2));
    }

    private static BigDecimal exact(double ns) {
        return new BigDecimal(ns);
    }

    private static long ceiling(BigDecimal ns) {
        return ns.setScale(0, RoundingMode.CEILING).min(LARGEST_BOUND_NS).longValueExact();
    }
}
