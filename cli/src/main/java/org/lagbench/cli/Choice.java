package org.lagbench.cli;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An option's value that is one of a few, by their names on the command line: the option's converter and its completion
 * candidates in one. A subclass has a constructor without parameters, as picocli demands.
 *
 * @param <T> what the names stand for
 */
abstract class Choice<T> implements ITypeConverter<T>, Iterable<String> {
    private final String kind;
    private final List<T> all;
    private final Function<T, String> name;

    /**
     * Of these.
     *
     * @param kind what each is, as in {@code "x" is not a format}
     */
    Choice(String kind, List<T> all, Function<T, String> name) {
        this.kind = kind;
        this.all = all;
        this.name = name;
    }

    @Override
    public final T convert(String text) {
        return all.stream()
                .filter(candidate -> name.apply(candidate).equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "\"" + text + "\" is not a " + kind + "; there are " + String.join(", ", this) + "."));
    }

    @Override
    public final Iterator<String> iterator() {
        return all.stream().map(name).iterator();
    }
}
