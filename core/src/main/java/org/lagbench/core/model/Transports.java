package org.lagbench.core.model;

import java.util.ServiceLoader;

/** The registry of transports, ordered by name. Immutable. */
public final class Transports extends Registry<Transport> {
    /** Found once, because each search looks into all jars. */
    private static final Transports FOUND = new Transports(ServiceLoader.load(Transport.class));

    public Transports(Iterable<Transport> transports) {
        super("transport", transports);
    }

    /** Returns all transports on the class path. */
    public static Transports load() {
        return FOUND;
    }

    /** Returns the transport that puts packets on a wire as they are. */
    public Transport plain(Wire wire) {
        return all().stream()
                .filter(transport -> transport.wire() == wire && transport.headerBytes() == 0)
                .findFirst()
                .orElseThrow();
    }
}
