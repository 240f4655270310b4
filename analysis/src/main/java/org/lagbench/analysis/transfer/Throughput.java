package org.lagbench.analysis.transfer;

/**
 * The throughput of a transfer of S bytes in bits per second, by formulas that differ in the time they divide by. Δt is
 * from just before the first piece is sent to just after the answer is received, by the sender's clock.
 */
final class Throughput {
    private static final double BITS_PER_BYTE = 8;
    private static final double NS_PER_S = 1e9;

    private Throughput() {}

    /** Returns 8 S/Δt, as in the Network Weather Service and in Krintz and Wolski, JavaNws (2001), section 2.1.1. */
    static double elapsed(double bytes, double elapsedNs) {
        return bitsPerS(bytes, elapsedNs);
    }

    /**
     * Returns 8 S/(Δt − latency), the formula of Yousaf, Welzl and Junaid, Fog in the Network Weather Service (2007),
     * section 2.2: latency is half a round trip.
     */
    static double latencySubtracted(double bytes, double elapsedNs, double latencyNs) {
        return bitsPerS(bytes, elapsedNs - latencyNs);
    }

    /**
     * Returns the receiver's rate from its first receive call to its last: the bytes after the first call, by the time
     * after it. It contains the transmission of neither the first bytes nor the answer.
     *
     * @param bytesAfterFirst the bytes that all calls but the first received
     * @param firstToLastNs the time from the return of the first call to that of the last
     */
    static double firstToLast(double bytesAfterFirst, double firstToLastNs) {
        return bitsPerS(bytesAfterFirst, firstToLastNs);
    }

    /** Returns NaN if the time is not positive. */
    private static double bitsPerS(double bytes, double ns) {
        return ns > 0 ? bytes * BITS_PER_BYTE * NS_PER_S / ns : Double.NaN;
    }
}
