package org.lagbench.core.registry;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Implementations of one kind by name. Immutable.
 *
 * @param <T> the kind
 */
public abstract class Registry<T extends Named> {
    private final String kind;
    private final List<T> entries;

    /**
     * @param kind what an entry is called: "transport"
     * @param order of {@link #all}; entries of the same place are ordered by name
     * @throws IllegalStateException if two entries have one name
     */
    protected Registry(String kind, Iterable<T> entries, Comparator<T> order) {
        this.kind = kind;
        this.entries = StreamSupport.stream(entries.spliterator(), false)
                .sorted(order.thenComparing(Named::name))
                .toList();
        if (names().stream().distinct().count() != this.entries.size()) {
            throw new IllegalStateException("two " + kind + "s have one name: " + names());
        }
    }

    /** All entries, in order. */
    public final List<T> all() {
        return entries;
    }

    /** All names, in order. */
    public final List<String> names() {
        return entries.stream().map(Named::name).toList();
    }

    /** The entry of that name, if there is one. */
    public final Optional<T> find(String name) {
        return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /**
     * The entry of that name.
     *
     * @throws LagbenchException if there is none: which names there are
     */
    public final T named(String name) throws LagbenchException {
        return find(name)
                .orElseThrow(() -> new LagbenchException(
                        ExitCode.USAGE,
                        "There is no " + kind + " \"" + name + "\"; there are " + String.join(", ", names()) + "."));
    }
}
