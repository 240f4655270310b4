package org.lagbench.native1394;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One side of an isochronous stream: a native sender or receiver, and the monitor of the bus clock. Any thread may
 * close it, more than once, which ends a blocked call.
 */
abstract class Ieee1394Side implements AutoCloseable {
    /**
     * Held during calls, so that {@link #pointer} is not freed meanwhile. No other thread acquires it before the close.
     */
    final Object lock = new Object();

    /** The native sender or receiver; 0 once freed. */
    long pointer;

    private final @Nullable BusClockMonitor clocks;
    private final AtomicBoolean closed = new AtomicBoolean();

    Ieee1394Side(long pointer, @Nullable BusClockMonitor clocks) {
        this.pointer = pointer;
        this.clocks = clocks;
    }

    /** Frees the native sender or receiver. */
    abstract void free(long pointer);

    public void endStages() throws IOException {
        if (clocks != null) {
            clocks.close();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                endStages();
            } catch (IOException e) {
                // ignored: a complete run has called endStages before, which reports the failure
            }
            Raw1394.wake(pointer);
            synchronized (lock) {
                free(pointer);
                pointer = 0;
            }
        }
    }
}
