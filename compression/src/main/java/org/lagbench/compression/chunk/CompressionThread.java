package org.lagbench.compression.chunk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.packetio.transport.TransferSender;

/**
 * A thread that compresses a range of chunks into a bounded queue, before the sending thread needs them. No other
 * thread uses the compressor until the range ends. The range ends early when {@link ChunkCompressor#isWorthThread}
 * remains false, or when reading the connection's state or compression fails. Only the constructor and the first range
 * allocate. One thread calls all methods except {@link #close}.
 */
final class CompressionThread implements AutoCloseable {
    private static final int MAXIMUM_CHUNKS = 8;
    private static final int QUEUE_BYTES = 1 << 20;

    /** The thread ends a range after this number of consecutive chunks that were not worth a thread. */
    private static final int PATIENCE_CHUNKS = 16;

    /** The value of {@code produced} and {@code end} if there is no range. */
    private static final long NONE = Long.MIN_VALUE;

    private final ChunkCompressor compressor;
    private final EncodedChunk[] queue;
    private final Thread thread = new Thread(this::compressUntilClosed, "chunk-compressor");

    /** The sending thread while it waits. */
    private volatile @Nullable Thread waiting;

    private volatile @Nullable TransferSender connection;

    // Chunk numbers: the queue has the chunks from `taken` to `produced` - 1. Those below `taken` were sent.
    private volatile long produced = NONE;
    private volatile long taken;
    // The range ends before this chunk. The sending thread begins a range, the compressing thread may end it early.
    private volatile long end = NONE;
    private volatile boolean isCancelled;
    private boolean isStarted;
    private volatile boolean closing;
    private volatile @Nullable Throwable failure;

    CompressionThread(ChunkCompressor compressor, int chunkBytes) {
        this.compressor = compressor;
        this.queue = new EncodedChunk[Math.max(2, Math.min(MAXIMUM_CHUNKS, QUEUE_BYTES / chunkBytes))];
        for (int i = 0; i < queue.length; i++) {
            queue[i] = compressor.newChunk();
        }
        thread.setDaemon(true);
    }

    /** Begins a range of chunks. The previous range must have ended; chunk numbers increase. */
    void begin(long first, long endOfRange, TransferSender to) {
        connection = to;
        isCancelled = false;
        taken = first;
        produced = first;
        end = endOfRange;
        if (isStarted) {
            LockSupport.unpark(thread);
        } else {
            isStarted = true;
            thread.start();
        }
    }

    /**
     * Waits for a chunk and returns it; returns null if the range ended before the chunk. The compressor is then free.
     *
     * @throws IOException if compression failed, or the thread was closed
     */
    @Nullable
    EncodedChunk take(long sequence) throws IOException {
        while (produced <= sequence && sequence < end) {
            await(sequence);
        }
        if (sequence < produced) {
            return queue[(int) Math.floorMod(sequence, (long) queue.length)];
        }
        check();
        return null;
    }

    /** Waits for a change of the queue or the range. May return without a change. */
    private void await(long sequence) throws IOException {
        waiting = Thread.currentThread();
        check();
        if (produced <= sequence && sequence < end) {
            LockSupport.park(this);
        }
        waiting = null;
        if (Thread.interrupted()) {
            throw new InterruptedIOException("the run was stopped");
        }
    }

    private void check() throws IOException {
        Throwable failed = failure;
        if (failed != null) {
            throw new IOException("Compressing a chunk failed: " + failed, failed);
        } else if (closing) {
            throw new InterruptedIOException("the run was stopped");
        }
    }

    /** Frees the slot of a chunk in the queue after it was sent. */
    void release(long sequence) {
        taken = sequence + 1;
        LockSupport.unpark(thread);
    }

    /** Ends the range if there is one, waits until the compressor is free, and drops the chunks in the queue. */
    void cancel() throws IOException {
        isCancelled = true;
        LockSupport.unpark(thread);
        while (produced < end) {
            await(produced);
        }
        check();
        end = NONE;
        produced = NONE;
    }

    private void compressUntilClosed() {
        int notWorth = 0;
        while (!closing) {
            long limit = end;
            long next = produced;
            if (end != limit) {
                continue; // the sending thread has just changed the range: the values may be of different ranges
            } else if (next >= limit) {
                notWorth = 0;
                LockSupport.park(this);
                continue;
            } else if (next - taken >= queue.length && !isCancelled) {
                LockSupport.park(this);
                continue;
            }
            TransferSender to = connection;
            try {
                if (to == null || isCancelled || notWorth >= PATIENCE_CHUNKS) {
                    notWorth = 0;
                    end = next;
                } else {
                    compressor.compress(next, to, 0, queue[(int) Math.floorMod(next, (long) queue.length)]);
                    notWorth = compressor.isWorthThread() ? 0 : notWorth + 1;
                    produced = next + 1;
                }
            } catch (IOException e) {
                notWorth = 0;
                end = next; // if the sending thread needs this chunk, it compresses it and gets the exception
            } catch (RuntimeException | Error e) {
                failure = e;
                return;
            } finally {
                LockSupport.unpark(waiting);
            }
        }
    }

    /** Ends the thread. May be called more than once, by any thread. */
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(waiting);
        LockSupport.unpark(thread);
        Uninterruptibly.join(thread);
    }
}
