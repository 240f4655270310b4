package org.lagbench.core.failure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A daemon thread that works until it is closed. Any thread may close it, more than once. */
public final class BackgroundThread implements AutoCloseable {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /** Creates a thread, which begins to work at {@link #start}. */
    public BackgroundThread(String name, Runnable work) {
        thread = new Thread(work, name);
        thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    /** Returns whether the thread must end. */
    public boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Waits for a time in ns, in this thread or another; returns true at once if the thread must end. */
    public boolean isClosedWithin(long ns) {
        try {
            return closing.await(ns, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // only a library can have interrupted it: the wait ends
            return true;
        }
    }

    /** Ends the current and all later waits, but does not wait for the end of the thread. */
    public void end() {
        closing.countDown();
    }

    /** Ends the thread and waits for its end. */
    @Override
    public void close() {
        end();
        Uninterruptibly.join(thread);
    }
}
