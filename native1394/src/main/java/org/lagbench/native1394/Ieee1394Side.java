package org.lagbench.native1394;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One side of an isochronous stream: a native sender or receiver, and the watch of the bus's clock. Any thread may
 * close it, once or more, which ends a call that waits.
 */
abstract class Ieee1394Side implements AutoCloseable {
    /** Guards {@link #pointer}: a call on it runs, or it is freed; uncontended until someone closes. */
    final Object use = new Object();

    /** The native sender or receiver; 0 once it is freed. */
    long pointer;

    private final @Nullable BusClockMonitor clocks;
    private final AtomicBoolean closed = new AtomicBoolean();

    Ieee1394Side(long pointer, @Nullable BusClockMonitor clocks) {
        this.pointer = pointer;
        this.clocks = clocks;
    }

    /** Frees the native sender or receiver. */
    abstract void free(long pointer);

    /** Ends the recording of stages. */
    public void endStages() throws IOException {
        if (clocks != null) {
            clocks.close();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            BusClockMonitor.endQuietly(clocks);
            Raw1394.wake(pointer);
            synchronized (use) {
                free(pointer);
                pointer = 0;
            }
        }
    }
}
