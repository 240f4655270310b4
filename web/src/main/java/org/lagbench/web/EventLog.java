package org.lagbench.web;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The events of a live page in the order of time, as server-sent events. A client that connects later, or again,
 * receives what it missed. Thread-safe; publishing never waits for a client.
 */
public final class EventLog implements AutoCloseable {
    /** The beginning of a stream: a client waits a second before it reconnects. */
    private static final String RETRY = "retry: 1000\n\n";

    /** Makes a client discard earlier events, because it has missed some since. */
    private static final String RESET = "event: reset\ndata:\n\n";

    /** Shows that the connection lasts. */
    private static final String HEARTBEAT = ": heartbeat\n\n";

    /** Distinguishes the events of this log from those of an earlier server at the same address. */
    private final String origin = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    private final int maxPassing;

    /** The events that a client may still receive, by their numbers from 1. */
    private final NavigableMap<Long, String> events = new TreeMap<>();

    /** The numbers of the events of {@link #pass}. */
    private final Deque<Long> passing = new ArrayDeque<>();

    private final Set<Subscription> subscriptions = new HashSet<>();
    private long newest;
    private long newestForgotten;
    private boolean isClosed;

    /**
     * Creates a log without events.
     *
     * @param maxPassing how many events of {@link #pass} are kept for later clients
     */
    public EventLog(int maxPassing) {
        this.maxPassing = maxPassing;
    }

    /** Adds an event that every later client receives. */
    public synchronized void keep(String data) {
        if (!isClosed) {
            newest++;
            events.put(newest, "id: " + origin + "-" + newest + "\ndata: " + data + "\n\n");
            subscriptions.removeIf(Subscription::dropIfSlow);
            notifyAll();
        }
    }

    /** Adds an event that later clients receive only while it is one of the newest. */
    public synchronized void pass(String data) {
        keep(data);
        if (!isClosed) {
            passing.add(newest);
            if (passing.size() > maxPassing) {
                newestForgotten = passing.remove();
                events.remove(newestForgotten);
            }
        }
    }

    /**
     * Subscribes the current thread, which must close the subscription.
     *
     * @param lastId the identifier of the last event that the client has, or null
     */
    synchronized Subscription subscribe(@Nullable String lastId) {
        Subscription subscription = new Subscription(numberOf(lastId));
        subscriptions.add(subscription);
        return subscription;
    }

    /** Returns the number of an event of this log, or 0 if it is of another log or invalid. */
    private long numberOf(@Nullable String id) {
        if (id == null || !id.matches("[0-9A-Za-z]+-\\d{1,18}") || !id.startsWith(origin + "-")) {
            return 0;
        }
        long number = Long.parseLong(id.substring(origin.length() + 1));
        return number > newest ? 0 : number;
    }

    synchronized int clients() {
        return subscriptions.size();
    }

    /** Ends each stream after the events so far. */
    @Override
    public synchronized void close() {
        isClosed = true;
        notifyAll();
    }

    /**
     * The events that are still to be sent to one client. A client that does not read for {@value #CAPACITY} events, or
     * for as many as the log keeps, is dropped: its thread is interrupted, which closes the socket that the thread
     * writes to.
     */
    final class Subscription implements AutoCloseable {
        /** The maximum number of new events that wait for a client. */
        static final int CAPACITY = 256;

        private final Thread reader = Thread.currentThread();
        private final long newestBefore = newest;
        private final Deque<String> first;

        /** The number of the last event that the client got; 0 for none. */
        private long last;

        private Subscription(long lastNumber) {
            boolean isNew = lastNumber == 0 || lastNumber < newestForgotten;
            last = isNew ? 0 : lastNumber;
            first = new ArrayDeque<>(isNew ? List.of(RETRY, RESET) : List.of(RETRY));
        }

        /** Drops the client if too many new events wait for it, and returns whether they do. */
        private boolean dropIfSlow() {
            boolean isSlow = newest - Math.max(last, newestBefore) > Math.min(CAPACITY, maxPassing);
            if (isSlow) {
                reader.interrupt();
            }
            return isSlow;
        }

        /**
         * Waits for the next event.
         *
         * @return a comment if there was none in this time; null if the stream has ended
         * @throws InterruptedException if the client is dropped
         */
        @Nullable
        String next(long timeoutS) throws InterruptedException {
            synchronized (EventLog.this) {
                while (!hasNext() && !isClosed) {
                    TimeUnit.SECONDS.timedWait(EventLog.this, timeoutS);
                    if (!hasNext() && !isClosed) {
                        return HEARTBEAT;
                    }
                }
                if (Thread.interrupted()) {
                    throw new InterruptedException("this client is too slow");
                }
                if (!first.isEmpty()) {
                    return first.remove();
                }
                Map.Entry<Long, String> next = events.higherEntry(last);
                last = next == null ? last : next.getKey();
                return next == null ? null : next.getValue();
            }
        }

        boolean hasNext() {
            synchronized (EventLog.this) {
                return !first.isEmpty() || last < newest;
            }
        }

        @Override
        public void close() {
            synchronized (EventLog.this) {
                subscriptions.remove(this);
            }
        }
    }
}
