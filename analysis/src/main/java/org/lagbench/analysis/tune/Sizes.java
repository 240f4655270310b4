package org.lagbench.analysis.tune;

import java.util.Locale;

/** Values of knobs as people read them. */
public final class Sizes {
    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    private Sizes() {}

    /** A buffer's size with its unit; any other value as it is. */
    public static String text(String knob, String value) {
        if (!knob.endsWith("buffer") || !value.matches("\\d+")) {
            return value;
        }
        long bytes = Long.parseLong(value);
        if (bytes >= MIB && bytes % MIB == 0) {
            return bytes / MIB + " MiB";
        }
        if (bytes >= KIB && bytes % KIB == 0) {
            return bytes / KIB + " KiB";
        }
        return String.format(Locale.ROOT, "%d B", bytes);
    }
}
