package org.lagbench.cli;

import java.util.Arrays;
import java.util.Iterator;
import org.lagbench.analysis.cause.Tail;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Which lags are given causes, by the quantile in percent that they are above. */
final class TailOption {
    private TailOption() {}

    /** Turns 99 into the tail above Q99. */
    static final class Converter implements ITypeConverter<Tail> {
        @Override
        public Tail convert(String text) {
            for (Tail tail : Tail.values()) {
                if (tail.percent().equals(text)) {
                    return tail;
                }
            }
            throw new TypeConversionException("\"" + text + "\" is none of " + String.join(", ", new Percents()) + ".");
        }
    }

    /** What can be given. */
    static final class Percents implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Tail.values()).map(Tail::percent).iterator();
        }
    }
}
