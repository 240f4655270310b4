package org.lagbench.engines.message;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures how many bytes the thread that sends or receives allocates per packet, over series of {@value #SERIES}
 * packets. One thread at a time calls {@link #packet} and {@link #end}; any thread may read the result.
 */
public final class AllocationMeter {
    /** The metadata key of the bytes per packet that an interface's receiving thread allocates. */
    public static final String CONNECTION_THREAD = "connectionThreadBytesPerPacket";

    private static final long UNKNOWN = -1;
    private static final int SERIES = 256;
    private static final @Nullable ThreadMXBean THREADS = threads();

    private final String name;
    private @Nullable Thread thread;
    private int packets;
    private long beforeBytes;
    private volatile long bytesPerPacket = UNKNOWN;

    /** @param name the key of the result in {@code run.json} */
    public AllocationMeter(String name) {
        this.name = name;
    }

    /** Called before each packet. */
    public void packet() {
        if (packets == SERIES) {
            end();
        }
        Thread current = Thread.currentThread();
        if (packets == 0 || thread != current) {
            thread = current;
            packets = 0;
            beforeBytes = allocatedBytes();
        }
        packets++;
    }

    /** Ends the series early; its result replaces the last one. The next packet begins another series. */
    public void end() {
        long afterBytes = allocatedBytes();
        if (packets > 0 && beforeBytes >= 0 && afterBytes >= beforeBytes) {
            bytesPerPacket = (afterBytes - beforeBytes) / packets;
        }
        packets = 0;
    }

    /** Adds the result of the last series, if it was measured. */
    public void putMetadata(Map<String, Object> metadata) {
        if (bytesPerPacket != UNKNOWN) {
            metadata.put(name, bytesPerPacket);
        }
    }

    private static long allocatedBytes() {
        try {
            return THREADS == null ? UNKNOWN : THREADS.getCurrentThreadAllocatedBytes();
        } catch (UnsupportedOperationException e) {
            return UNKNOWN; // the thread is virtual
        }
    }

    private static @Nullable ThreadMXBean threads() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
                        && threads.isThreadAllocatedMemorySupported()
                        && threads.isThreadAllocatedMemoryEnabled()
                ? threads
                : null;
    }
}
