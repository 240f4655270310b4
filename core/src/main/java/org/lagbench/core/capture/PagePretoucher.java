package org.lagbench.core.capture;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.lagbench.core.failure.BackgroundThread;

/**
 * Keeps the next pages of a capture writable. The kernel writes dirty pages of a mapped file back after about 30 s. The
 * next write to each of them then causes a page fault, of milliseconds if the file system's journal is busy. A separate
 * thread causes these faults early: ten times a second it writes to the pages of the next {@value #LOOKS_AHEAD} tenths
 * of a second. It sleeps for the first {@value #FIRST_LOOK_MS} ms, while pages are still writable, and while nothing is
 * recorded.
 */
final class PagePretoucher implements AutoCloseable {
    /** The usual time of the first pass. */
    static final long FIRST_LOOK_MS = 5_000;

    private static final long INTERVAL_MS = 100;
    private static final int LOOKS_AHEAD = 4;

    private final Pages pages;
    private final LongSupplier written;
    private final long firstLookMs;
    private final BackgroundThread thread = new BackgroundThread("capture-pages", this::keep);

    /**
     * Starts the thread.
     *
     * @param written the number of written records; called from the thread
     * @param firstLookMs the time of the first pass
     */
    PagePretoucher(Pages pages, LongSupplier written, long firstLookMs) {
        this.pages = pages;
        this.written = written;
        this.firstLookMs = firstLookMs;
        thread.start();
    }

    /** The pages of a capture's records. */
    @FunctionalInterface
    interface Pages {
        /** Rewrites unchanged bytes in the pages of the records from the first to the last before {@code end}. */
        void touch(long first, long end) throws IOException;
    }

    private void keep() {
        try {
            long before = written.getAsLong();
            long waitMs = firstLookMs;
            while (!thread.isClosedWithin(TimeUnit.MILLISECONDS.toNanos(waitMs))) {
                waitMs = INTERVAL_MS;
                long now = written.getAsLong();
                pages.touch(now, now + LOOKS_AHEAD * (now - before));
                before = now;
            }
        } catch (IOException | InternalError e) {
            return; // another program has truncated the file: closing the capture reports it
        }
    }

    /** Ends the thread and waits for its end, so that the file may be truncated. */
    @Override
    public void close() {
        thread.close();
    }
}
