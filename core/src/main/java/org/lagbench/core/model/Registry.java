package org.lagbench.core.model;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Implementations of one kind by name, in the order that they declare. Immutable.
 *
 * @param <T> the kind
 */
public class Registry<T extends Registry.Named> {
    private final String kind;
    private final List<T> entries;

    /**
     * @param kind the word for an entry: "transport"
     * @throws IllegalStateException if two entries have the same name
     */
    public Registry(String kind, Iterable<T> entries) {
        this.kind = kind;
        this.entries = StreamSupport.stream(entries.spliterator(), false)
                .sorted(Comparator.comparingInt(Named::order).thenComparing(Named::name))
                .toList();
        Map<String, T> byName = new HashMap<>();
        for (T entry : this.entries) {
            T other = byName.put(entry.name(), entry);
            if (other != null) {
                throw new IllegalStateException("The " + kind + " \"" + entry.name() + "\" is registered twice: "
                        + other + " and " + entry + ".");
            }
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
        /** Returns the name in experiments and files, on the command line and on the control connection. */
        String name();

        /** Returns the position in lists, from 0; entries of the same position are ordered by name. */
        default int order() {
            return 0;
        }

        /** Returns the settings that an experiment may have of it, with defaults and ranges. */
        default List<Parameter<?>> settings() {
            return List.of();
        }
    }
}
