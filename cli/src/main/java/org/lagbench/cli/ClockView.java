package org.lagbench.cli;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** By which clocks {@code lagbench table} tells lags. */
enum ClockView {
    /** As stamped. */
    RAW,
    /** As stamped, and beside that less the estimated offset of the clocks. */
    CORRECTED;

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** From the name on the command line. */
    static final class Converter implements ITypeConverter<ClockView> {
        @Override
        public ClockView convert(String text) {
            for (ClockView candidate : values()) {
                if (candidate.text().equals(text)) {
                    return candidate;
                }
            }
            throw new TypeConversionException(
                    "\"" + text + "\" is not a way to tell lags; there are " + String.join(", ", new Names()) + ".");
        }
    }

    /** The names on the command line. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(values()).map(ClockView::text).iterator();
        }
    }
}
