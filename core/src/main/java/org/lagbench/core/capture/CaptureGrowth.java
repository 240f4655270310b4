package org.lagbench.core.capture;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.lagbench.core.failure.BackgroundThread;

/**
 * Writes the disk blocks of a long capture ahead of its writer, on a separate thread. So a run takes only the space
 * that it uses, and starts and ends quickly. Captures of up to {@value CaptureFile#AHEAD_RECORDS} records need no
 * thread.
 */
final class CaptureGrowth implements AutoCloseable {
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final CaptureFile file;
    private final LongSupplier written;
    private final BackgroundThread thread = new BackgroundThread("capture-growth", this::grow);

    /**
     * Starts the thread if the file can grow.
     *
     * @param written the number of written records; called from the thread
     */
    CaptureGrowth(CaptureFile file, LongSupplier written) {
        this.file = file;
        this.written = written;
        if (file.canGrow()) {
            thread.start();
        }
    }

    private void grow() {
        try {
            while (file.canGrow() && !thread.isClosedWithin(INTERVAL_NS)) {
                while (file.mustGrow(written.getAsLong()) && !thread.isClosing()) {
                    file.prepareNext();
                }
            }
        } catch (IOException e) {
            file.fail(e);
        } catch (InternalError e) {
            file.fail(new IOException("the file was truncated, or its disk failed", e));
        }
    }

    /** Ends the thread and waits for its end, so that the file may be truncated. */
    @Override
    public void close() {
        thread.end();
        file.stopGrowing();
        thread.close();
    }
}
