package org.lagbench.cli;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The named values of an option: its converter and its completion candidates. Subclasses need a constructor without
 * parameters, because picocli instantiates them.
 *
 * @param <T> type of the values
 */
abstract class Choice<T> implements ITypeConverter<T>, Iterable<String> {
    private final String kind;
    private final List<T> values;
    private final Function<T, String> name;

    /**
     * Creates a choice.
     *
     * @param kind noun for a value in error messages, such as "format"
     * @param name returns the name of a value on the command line
     */
    Choice(String kind, List<T> values, Function<T, String> name) {
        this.kind = kind;
        this.values = values;
        this.name = name;
    }

    @Override
    public final T convert(String text) {
        return values.stream()
                .filter(candidate -> name.apply(candidate).equals(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException(
                        "\"" + text + "\" is not a valid " + kind + "; use one of: " + String.join(", ", this) + "."));
    }

    @Override
    public final Iterator<String> iterator() {
        return values.stream().map(name).iterator();
    }
}
