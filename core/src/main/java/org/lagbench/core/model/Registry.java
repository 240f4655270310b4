package org.lagbench.core.model;

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
public class Registry<T extends Registry.Named> {
    private final String kind;
    private final List<T> entries;

    /**
     * @param kind the word for an entry: "transport"
     * @param order the order of {@link #all}; equal entries are ordered by name
     * @throws IllegalStateException if two entries have the same name
     */
    public Registry(String kind, Iterable<T> entries, Comparator<T> order) {
        this.kind = kind;
        this.entries = StreamSupport.stream(entries.spliterator(), false)
                .sorted(order.thenComparing(Named::name))
                .toList();
        if (names().stream().distinct().count() != this.entries.size()) {
            throw new IllegalStateException("two " + kind + "s have the same name: " + names());
        }
    }

    public final List<T> all() {
        return entries;
    }

    public final List<String> names() {
        return entries.stream().map(Named::name).toList();
    }

    public final Optional<T> find(String name) {
        return entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /**
     * Returns the entry of a name.
     *
     * @throws LagbenchException if there is none; the message lists the names
     */
    public final T named(String name) throws LagbenchException {
        return find(name)
                .orElseThrow(() -> ExitCode.USAGE.failure(
                        "There is no " + kind + " \"" + name + "\"; there are " + String.join(", ", names()) + "."));
    }

    /** An entry of a {@link Registry}. */
    public interface Named {
        /** Returns the name in experiments, files and on the control connection. */
        String name();

        /** Returns the settings that an experiment may have of it, with defaults and ranges. */
        default List<Parameter<?>> settings() {
            return List.of();
        }
    }
}
