package org.lagbench.core.text;

/** Factors between units of time, amount and share, for what is computed in floating point. */
public final class Units {
    /** Nanoseconds per second. */
    public static final double NS_PER_S = 1e9;

    /** Nanoseconds per millisecond. */
    public static final double NS_PER_MS = 1e6;

    /** Nanoseconds per microsecond. */
    public static final double NS_PER_US = 1e3;

    /** Microseconds per millisecond. */
    public static final double US_PER_MS = 1e3;

    /** Milliseconds per second. */
    public static final double MS_PER_S = 1e3;

    /** Bits per byte. */
    public static final double BITS_PER_BYTE = 8;

    /** Bits per megabit. */
    public static final double BITS_PER_MBIT = 1e6;

    /** Bytes per kilobyte. */
    public static final double BYTES_PER_KB = 1e3;

    /** Bytes per kibibyte. */
    public static final double BYTES_PER_KIB = 1 << 10;

    /** Bytes per megabyte. */
    public static final double BYTES_PER_MB = 1e6;

    /** Bytes per mebibyte. */
    public static final double BYTES_PER_MIB = 1 << 20;

    /** Hundredths per unit: a share times this is in percent. */
    public static final double PERCENT = 100;

    /** Millionths per unit: a share times this is in ppm. */
    public static final double PPM = 1e6;

    private Units() {}
}
