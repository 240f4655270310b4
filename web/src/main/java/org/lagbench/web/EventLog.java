package org.lagbench.web;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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

    /** Distinguishes the events of this log from those of an earlier server at the same address. */
    private final String origin = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);

    private final int maxPassing;
    private final List<Event> lasting = new ArrayList<>();
    private final Deque<Event> passing = new ArrayDeque<>();
    private final Set<Subscription> subscriptions = new HashSet<>();
    private long newest;
    private long newestForgotten;
    private boolean isClosed;

    private record Event(long number, String text) {}

    /**
     * Creates a log without events.
     *
     * @param maxPassing how many events of {@link #pass} are kept for later clients
     */
    public EventLog(int maxPassing) {
        this.maxPassing = maxPassing;
    }

    /** Adds an event that every later client receives. */
    public void keep(String data) {
        publish(data, true);
    }

    /** Adds an event that later clients receive only while it is one of the newest. */
    public void pass(String data) {
        publish(data, false);
    }

    private synchronized void publish(String data, boolean isLasting) {
        if (isClosed) {
            return;
        }
        newest++;
        String text = "id: " + origin + "-" + newest + "\ndata: " + data + "\n\n";
        Event event = new Event(newest, text);
        if (isLasting) {
            lasting.add(event);
        } else {
            passing.add(event);
            if (passing.size() > maxPassing) {
                newestForgotten = passing.remove().number();
            }
        }
        subscriptions.removeIf(subscription -> !subscription.offer(event.text()));
    }

    /**
     * Subscribes the current thread, which must close the subscription.
     *
     * @param lastId the identifier of the last event that the client has, or null
     */
    synchronized Subscription subscribe(@Nullable String lastId) {
        long last = numberOf(lastId);
        List<String> first = new ArrayList<>();
        first.add(RETRY);
        if (last < newestForgotten || last == 0) {
            last = 0;
            first.add(RESET);
        }
        long after = last;
        List<Event> missed = new ArrayList<>(lasting);
        missed.addAll(passing);
        missed.removeIf(event -> event.number() <= after);
        missed.sort(Comparator.comparingLong(Event::number));
        missed.forEach(event -> first.add(event.text()));
        Subscription subscription = new Subscription(first);
        if (isClosed) {
            subscription.end();
        } else {
            subscriptions.add(subscription);
        }
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

    synchronized void unsubscribe(Subscription subscription) {
        subscriptions.remove(subscription);
    }

    synchronized int clients() {
        return subscriptions.size();
    }

    /** Ends each stream after the events so far. */
    @Override
    public synchronized void close() {
        isClosed = true;
        subscriptions.forEach(Subscription::end);
        subscriptions.clear();
    }

    /**
     * The events that are still to be sent to one client. A client that does not read for {@value #CAPACITY} events is
     * dropped: its thread is interrupted, which closes the socket that the thread writes to.
     */
    final class Subscription implements AutoCloseable {
        /** The maximum number of new events that wait for a client. */
        static final int CAPACITY = 256;

        private static final String END = "";

        private final Deque<String> first;
        private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(CAPACITY + 1);
        private final Thread reader = Thread.currentThread();
        private boolean isEnded;

        Subscription(Collection<String> first) {
            this.first = new ArrayDeque<>(first);
        }

        /** Adds an event, or drops the client and returns false. The log's lock is held. */
        boolean offer(String event) {
            if (queue.size() < CAPACITY && queue.offer(event)) {
                return true;
            }
            reader.interrupt();
            return false;
        }

        /** Ends the stream after the events so far. The log's lock is held. */
        void end() {
            if (!queue.offer(END)) {
                reader.interrupt();
            }
        }

        /**
         * Waits for the next event.
         *
         * @return null if there was none in this time, or the stream has ended
         * @throws InterruptedException if the client is dropped
         */
        @Nullable
        String next(long timeoutS) throws InterruptedException {
            String event = first.poll();
            if (event == null) {
                event = queue.poll(timeoutS, TimeUnit.SECONDS);
            }
            isEnded = END.equals(event);
            return isEnded ? null : event;
        }

        boolean hasNext() {
            return !first.isEmpty() || !queue.isEmpty();
        }

        boolean isEnded() {
            return isEnded;
        }

        @Override
        public void close() {
            unsubscribe(this);
        }
    }
}
