package org.lagbench.core.clock;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.file.Within;

/**
 * The state of chronyd's clock, as {@code chronyc tracking} shows it. The values in ns are exactly those that chronyd
 * sent: its 24-bit coefficients times 10⁹ fit into a double.
 *
 * @param referenceId the clock's reference, 8 hexadecimal digits: for IPv4 the server's address,
 *     {@link #LOCAL_REFERENCE} for the host's own clock
 * @param referenceAddress address of the clock's server; null if it has none
 * @param stratum servers between this clock and a reference clock, plus one; 0 if unsynchronized
 * @param leap whether a leap second is due, or the clock is not synchronized
 * @param referenceTimeNs when the clock was last updated from its reference, in ns since the epoch; 0 if never
 * @param correctionNs what chronyd would add to the clock's reading to get the true time: above 0, the clock is slow
 * @param lastOffsetNs the clock's offset as estimated at the last update; above 0, the clock was slow
 * @param rmsOffsetNs long-term average of the offset
 * @param frequencyPpm the clock's rate error without chronyd: above 0, fast
 * @param residualFrequencyPpm difference between the reference's rate and the one now used
 * @param skewPpm estimated error of the rate
 * @param rootDelayNs total network round trip to the reference clock
 * @param rootDispersionNs error accumulated on the path and since the last update
 * @param updateIntervalS time between the last two updates; 0 if there were none
 */
public record ChronyTracking(
        String referenceId,
        @Nullable String referenceAddress,
        int stratum,
        Leap leap,
        @Within(max = Within.LATEST_NS) long referenceTimeNs,
        double correctionNs,
        double lastOffsetNs,
        double rmsOffsetNs,
        double frequencyPpm,
        double residualFrequencyPpm,
        double skewPpm,
        double rootDelayNs,
        double rootDispersionNs,
        double updateIntervalS) {
    /** The identifier 127.127.1.1 of a chronyd whose reference is its own clock ({@code local stratum}). */
    public static final String LOCAL_REFERENCE = "7F7F0101";

    /** chronyd's default {@code maxclockerror}: the rate error of an unsteady clock. */
    private static final double CLOCK_ERROR_PPM = 1;

    /** The largest bound: 73 years, so that the sum of two bounds does not overflow. */
    private static final BigDecimal LARGEST_BOUND_NS = BigDecimal.valueOf(1L << 61);

    public ChronyTracking {
        if (!(rootDispersionNs >= 0 && skewPpm >= 0)) {
            throw new IllegalArgumentException("rootDispersionNs is " + rootDispersionNs + " and skewPpm is " + skewPpm
                    + "; neither can be negative");
        }
    }

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
     * Returns the largest difference between the clock and its reference's time, in ns, rounded up: |correction| + root
     * dispersion + root delay / 2, the maximum error of RFC 5905 section 11.2 plus what is not yet corrected. Half the
     * delay covers any asymmetry of the path.
     */
    public long boundNs() {
        return ceiling(exact(Math.abs(correctionNs)).add(errorOfCorrection()));
    }

    /** Returns the largest error of the clock's reading plus {@link #correctionNs}, in ns, rounded up. */
    public long correctedBoundNs() {
        return ceiling(errorOfCorrection());
    }

    /** Returns how fast the bound grows until the clock's next update, in ppm. */
    public double errorGrowthPpm() {
        return skewPpm + Math.abs(residualFrequencyPpm) + CLOCK_ERROR_PPM;
    }

    /** Returns whether the reference is this host's own clock, so that the bound does not apply to another host's. */
    public boolean isLocalReference() {
        return referenceId.equals(LOCAL_REFERENCE);
    }

    private BigDecimal errorOfCorrection() {
        return exact(rootDispersionNs).add(exact(Math.abs(rootDelayNs) / 2));
    }

    private static BigDecimal exact(double ns) {
        return new BigDecimal(ns);
    }

    private static long ceiling(BigDecimal ns) {
        return ns.setScale(0, RoundingMode.CEILING).min(LARGEST_BOUND_NS).longValueExact();
    }
}
