package org.lagbench.receiver;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;

/**
 * The open control connections of a receiver. A stranger is one that has not proven the key, or without a key has no
 * run. At the limit of strangers, a new one replaces one of the address that has the most: no address keeps others out,
 * whatever its strangers say. Thread-safe.
 */
final class Connections {
    /**
     * All streams of a run connect at the same time, in both directions. Strangers leave three quarters of the files
     * that this process may open to the runs.
     */
    static final int MAXIMUM_STRANGERS = (int) Math.max(1, Math.min(RunTurns.MAXIMUM_RUNS, maximumOpenFiles() / 4));

    static final int MAXIMUM_KNOWN = RunTurns.MAXIMUM_RUNS;

    /**
     * Of all connections, also of closed ones: the thread of a connection that was closed in favor of a newer one still
     * runs for a moment.
     */
    private static final int MAXIMUM_THREADS = 2 * (MAXIMUM_STRANGERS + MAXIMUM_KNOWN);

    /** How long a peer may take before its first message, unless most peers are silent. */
    private static final long SPARED_NS = TimeUnit.SECONDS.toNanos(1);

    /** The part of an IPv6 address that one host can have all addresses of (RFC 4291). */
    private static final int NETWORK_BYTES = 8;

    /** Oldest first. */
    private final Map<ControlConnection, Stranger> strangers = new LinkedHashMap<>();

    private final Set<ControlConnection> known = new LinkedHashSet<>();
    private final LongSupplier nanoTime;
    private int threads;

    /**
     * @param network the address; of IPv6 its first half
     * @param sinceNs when it connected
     */
    private record Stranger(ByteBuffer network, long sinceNs) {}

    /** @param nanoTime a clock in ns */
    Connections(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Adds an unauthenticated connection, whose thread is about to start. Waits while there are too many threads.
     *
     * @return the connection that the new one replaces and that must be closed; null if there is room
     */
    synchronized @Nullable ControlConnection add(ControlConnection connection, InetAddress address)
            throws InterruptedException {
        while (threads >= MAXIMUM_THREADS) {
            wait();
        }
        threads++;
        ControlConnection replaced = strangers.size() < MAXIMUM_STRANGERS ? null : replaceable();
        if (replaced != null) {
            strangers.remove(replaced);
        }
        strangers.put(connection, new Stranger(network(address), nanoTime.getAsLong()));
        return replaced;
    }

    private static ByteBuffer network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(bytes, 0, address instanceof Inet6Address ? NETWORK_BYTES : bytes.length);
    }

    /**
     * Returns a stranger of a network with the most of them: the oldest that has said nothing for a second, or if most
     * of them have said nothing, the oldest of these; else the oldest.
     */
    private ControlConnection replaceable() {
        Map<ByteBuffer, Long> counts =
                strangers.values().stream().collect(Collectors.groupingBy(Stranger::network, Collectors.counting()));
        long most = Collections.max(counts.values());
        List<ControlConnection> crowd = strangers.entrySet().stream()
                .filter(stranger -> counts.getOrDefault(stranger.getValue().network(), 0L) == most)
                .map(Map.Entry::getKey)
                .toList();
        List<ControlConnection> silent =
                crowd.stream().filter(stranger -> stranger.messagesRead() == 0).toList();
        boolean isSilentReplaced = 2 * silent.size() > crowd.size()
                || (!silent.isEmpty() && nanoTime.getAsLong() - sinceNs(silent.get(0)) > SPARED_NS);
        return (isSilentReplaced ? silent : crowd).get(0);
    }

    private long sinceNs(ControlConnection stranger) {
        return Objects.requireNonNull(strangers.get(stranger)).sinceNs();
    }

    private static long maximumOpenFiles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** Marks a connection as authenticated; returns false if there are too many, or it was replaced. */
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

    /**
     * Limits the log lines that peers cause without having the key: {@value #MAXIMUM_LINES} an hour, and one that
     * counts the others. Thread-safe.
     */
    static final class StrangerLog {
        static final int MAXIMUM_LINES = 10;

        private static final long PERIOD_NS = TimeUnit.HOURS.toNanos(1);

        private final Consumer<String> lines;
        private final LongSupplier nanoTime;
        private long periodStartNs;
        private int written;
        private long leftOut;

        /**
         * @param lines receives the lines
         * @param nanoTime a clock in ns
         */
        StrangerLog(Consumer<String> lines, LongSupplier nanoTime) {
            this.lines = lines;
            this.nanoTime = nanoTime;
            this.periodStartNs = nanoTime.getAsLong();
        }

        synchronized void write(String line) {
            long nowNs = nanoTime.getAsLong();
            if (nowNs - periodStartNs >= PERIOD_NS) {
                if (leftOut > 0) {
                    lines.accept(leftOut + " more lines about connections without a proven key were left out");
                }
                periodStartNs = nowNs;
                written = 0;
                leftOut = 0;
            }
            if (written == MAXIMUM_LINES) {
                leftOut++;
                return;
            }
            written++;
            lines.accept(written < MAXIMUM_LINES ? line : line + "; further such lines are left out for an hour");
        }
    }
}
