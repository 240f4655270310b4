package org.lagbench.receiver;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.ControlConnection;

/**
 * The open control connections of a receiver. A stranger is one that has not proven the key, or without a key has no
 * run. Strangers are limited in total and by address, and the oldest gives way to the newest: idle ones keep nobody
 * out. Thread-safe.
 */
final class Connections {
    static final int MAXIMUM_STRANGERS = 32;
    static final int MAXIMUM_STRANGERS_OF_ADDRESS = 16;
    static final int MAXIMUM_KNOWN = 32;

    /** The threads of connections that gave way end soon; until then they count. */
    private static final int MAXIMUM_THREADS = 2 * (MAXIMUM_STRANGERS + MAXIMUM_KNOWN);

    /** Oldest first. */
    private final Map<ControlConnection, InetAddress> strangers = new LinkedHashMap<>();

    private final Set<ControlConnection> known = new LinkedHashSet<>();
    private int threads;

    /**
     * Adds an unauthenticated connection, whose thread is about to start. Waits while there are too many threads.
     *
     * @return the connection that gives way and must be closed; null if none does
     */
    synchronized @Nullable ControlConnection add(ControlConnection connection, InetAddress address)
            throws InterruptedException {
        while (threads >= MAXIMUM_THREADS) {
            wait();
        }
        threads++;
        List<ControlConnection> ofAddress = strangers.entrySet().stream()
                .filter(stranger -> stranger.getValue().equals(address))
                .map(Map.Entry::getKey)
                .toList();
        ControlConnection oldest = ofAddress.size() >= MAXIMUM_STRANGERS_OF_ADDRESS
                ? ofAddress.get(0)
                : strangers.size() >= MAXIMUM_STRANGERS
                        ? strangers.keySet().iterator().next()
                        : null;
        if (oldest != null) {
            strangers.remove(oldest);
        }
        strangers.put(connection, address);
        return oldest;
    }

    /** Marks a connection as authenticated; returns false if there are too many, or it has given way. */
    synchronized boolean admit(ControlConnection connection) {
        if (known.contains(connection)) {
            return true;
        }
        if (known.size() >= MAXIMUM_KNOWN || strangers.remove(connection) == null) {
            return false;
        }
        return known.add(connection);
    }

    synchronized boolean isKnown(ControlConnection connection) {
        return known.contains(connection);
    }

    /** Removes a connection, whose thread ends. */
    synchronized void ended(ControlConnection connection) {
        strangers.remove(connection);
        known.remove(connection);
        threads--;
        notifyAll();
    }

    synchronized Collection<ControlConnection> open() {
        List<ControlConnection> open = new ArrayList<>(strangers.keySet());
        open.addAll(known);
        return open;
    }

    /** Waits until all threads have ended. */
    synchronized void awaitEnd() throws InterruptedException {
        while (threads > 0) {
            wait();
        }
    }
}
