package org.lagbench.core.transport;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** The transports at hand, by name: as a rule all on the class path. Immutable. */
public final class Transports {
    private final Map<String, Transport> byName = new TreeMap<>();

    private Transports(Iterable<Transport> transports) {
        for (Transport transport : transports) {
            Transport other = byName.put(transport.name(), transport);
            if (other != null) {
                throw new IllegalStateException("two transports are called " + transport.name());
            }
        }
    }

    /** Finds all transports anew. */
    public static Transports load() {
        return new Transports(ServiceLoader.load(Transport.class));
    }

    /** These transports and no others. */
    public static Transports of(Transport... transports) {
        return new Transports(List.of(transports));
    }

    /** All transports, ordered by name. */
    public Collection<Transport> all() {
        return byName.values();
    }

    /** The transport of that name, if there is one. */
    public Optional<Transport> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The transport of that name. */
    public Transport named(String name) throws LagbenchException {
        Transport transport = byName.get(name);
        if (transport == null) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "There is no transport \"" + name + "\"; there are " + String.join(", ", byName.keySet()) + ".");
        }
        return transport;
    }
}
