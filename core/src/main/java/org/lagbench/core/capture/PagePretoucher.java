package org.lagbench.core.capture;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.lagbench.core.failure.Uninterruptibly;

/**
 * Keeps the pages writable that a capture comes to next. When the kernel has written out pages of a mapped file, some
 * 30 s after they were written, the next write to each meets a page fault of 4 µs or, in the file system's journal, ms;
 * in a long run that would befall every hundredth packet. A thread of its own meets the faults instead: ten times a
 * second it writes to the pages of the next {@value #LOOKS_AHEAD} tenths of a second. It sleeps for the first
 * {@value #FIRST_LOOK_MS} ms, when pages are as they were made, and for as long as nothing is recorded.
 */
final class PagePretoucher implements AutoCloseable {
    private static final long FIRST_LOOK_MS = 5_000;
    private static final long INTERVAL_MS = 100;
    private static final int LOOKS_AHEAD = 4;

    private final Pages pages;
    private final LongSupplier written;
    private final long firstLookMs;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::keep, "capture-pages");

    private PagePretoucher(Pages pages, LongSupplier written, long firstLookMs) {
        this.pages = pages;
        this.written = written;
        this.firstLookMs = firstLookMs;
    }

    /** The pages of a capture's records. */
    @FunctionalInterface
    interface Pages {
        /** Writes to those of the records from the first given to the last before {@code end} what is there. */
        void touch(long first, long end);
    }

    /**
     * Begins to keep them.
     *
     * @param written how many records have been written; asked from the thread
     */
    static PagePretoucher of(CaptureFile file, LongSupplier written) {
        return of(file::touch, written, FIRST_LOOK_MS);
    }

    /** The same, with the first look when a test wants it. */
    static PagePretoucher of(Pages pages, LongSupplier written, long firstLookMs) {
        PagePretoucher ahead = new PagePretoucher(pages, written, firstLookMs);
        ahead.thread.setDaemon(true);
        ahead.thread.start();
        return ahead;
    }

    private void keep() {
        try {
            long before = written.getAsLong();
            long waitMs = firstLookMs;
            while (!closing.await(waitMs, TimeUnit.MILLISECONDS)) {
                waitMs = INTERVAL_MS;
                long now = written.getAsLong();
                pages.touch(now, now + LOOKS_AHEAD * (now - before));
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does, and nobody else uses this thread
        }
    }

    /** Ends the thread and waits for that: the file may be cut afterwards. */
    @Override
    public void close() {
        closing.countDown();
        Uninterruptibly.join(thread);
    }
}
