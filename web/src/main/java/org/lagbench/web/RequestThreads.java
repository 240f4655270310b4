package org.lagbench.web;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a live page, one for each request while it arrives and is answered. If all are used, the oldest
 * request that has not arrived completely gives way to a new one. Thread-safe.
 */
final class RequestThreads extends ThreadPoolExecutor {
    private static final long IDLE_S = 10;
    private static final long HANDOVER_S = 1;

    /** The threads whose request has not arrived completely, the oldest first. */
    private final Set<Thread> arriving = new LinkedHashSet<>();

    RequestThreads(int maximum) {
        super(0, maximum, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>());
        AtomicInteger started = new AtomicInteger();
        setThreadFactory(task -> {
            Thread thread = new Thread(task, "live-page-" + started.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        setRejectedExecutionHandler((task, threads) -> replaceOldest(task));
    }

    /** Interrupts the thread of the oldest arriving request, which closes its connection, and hands it the new one. */
    private void replaceOldest(Runnable task) {
        synchronized (arriving) {
            Iterator<Thread> oldest = arriving.iterator();
            if (!isShutdown() && oldest.hasNext()) {
                oldest.next().interrupt();
                oldest.remove();
            }
        }
        try {
            if (!isShutdown() && getQueue().offer(task, HANDOVER_S, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new RejectedExecutionException("all threads of the live page are used");
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable task) {
        synchronized (arriving) {
            arriving.add(thread);
        }
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable failure) {
        arrived();
    }

    /** Records that the request of the current thread has arrived. */
    void arrived() {
        synchronized (arriving) {
            arriving.remove(Thread.currentThread());
        }
    }
}
