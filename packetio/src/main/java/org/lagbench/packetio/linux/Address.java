package org.lagbench.packetio.linux;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where a direct buffer is in memory: the JVM is asked only when the buffer is another than before, as for calls that
 * are made for each packet the buffer is the same. Not thread-safe. Keeps the last buffer from being given back.
 */
final class Address {
    private @Nullable ByteBuffer buffer;
    private long address;

    /** The address of the buffer's beginning. */
    @SuppressWarnings("ReferenceEquality") // equals compares what is in the buffers
    long of(ByteBuffer direct) {
        if (direct != buffer) {
            buffer = direct;
            address = Socket.address(direct);
        }
        return address;
    }
}
