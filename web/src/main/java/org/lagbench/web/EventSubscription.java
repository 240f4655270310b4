package org.lagbench.web;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The events that are still to be sent to one client. A client that does not read for {@value #CAPACITY} events is
 * dropped: its thread is interrupted, which closes the socket that the thread writes to.
 */
final class EventSubscription implements AutoCloseable {
    /** The maximum number of new events that wait for a client. */
    static final int CAPACITY = 256;

    private static final String END = "";

    private final EventLog log;
    private final Deque<String> first;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(CAPACITY + 1);
    private final Thread reader = Thread.currentThread();
    private boolean isEnded;

    EventSubscription(EventLog log, Collection<String> first) {
        this.log = log;
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
        log.unsubscribe(this);
    }
}
