package org.lagbench.compression.codec;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.model.Codec;

/**
 * A codec that computes instead of compressing, as in section 4.2 of Hu (2003). The level is the time in milliseconds.
 * Chunks do not become shorter, and so are sent raw.
 */
public final class ComputeCodec implements Codec {
    private static final int MAXIMUM_MS = 99;

    @Override
    public String name() {
        return "compute";
    }

    @Override
    public int id() {
        return 100;
    }

    @Override
    public int minimumLevel() {
        return 1;
    }

    @Override
    public int maximumLevel() {
        return MAXIMUM_MS;
    }

    @Override
    public int maximumBytes(int bytes) {
        return bytes;
    }

    @Override
    public Encoder openEncoder(int level) {
        long durationNs = TimeUnit.MILLISECONDS.toNanos(level);
        return (from, to) -> {
            int bytes = from.remaining();
            long endNs = System.nanoTime() + durationNs;
            while (endNs - System.nanoTime() > 0) {
                Thread.onSpinWait();
            }
            to.put(from);
            return bytes;
        };
    }

    /** Returns a decoder that refuses all chunks: this codec encodes none. */
    @Override
    public Decoder openDecoder() {
        return (from, to) -> {
            throw new IOException("chunks of the codec compute are sent raw");
        };
    }
}
