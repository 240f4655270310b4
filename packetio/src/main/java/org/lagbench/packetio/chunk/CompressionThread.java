package org.lagbench.packetio.chunk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.packetio.transport.TransferSender;

/**
 * A thread that compresses chunks before the sending thread needs them, into a bounded queue. While it works on a range
 * of chunks, no other thread uses the compressor. It ends a range early when a thread is no longer worth it, or when
 * the connection fails: the sending thread needs no more chunks if it has closed the connection. Only its creation and
 * its first range allocate. One thread calls all methods except {@link #close}.
 */
final class CompressionThread implements AutoCloseable {
    private static final int MAXIMUM_CHUNKS = 8;
    private static final int QUEUE_BYTES = 1 << 20;

    /** The thread ends a range after this many consecutive chunks that were not worth it. */
    private static final int PATIENCE_CHUNKS = 16;

    /** The limits of the range if there is none. */
    private static final long NONE = Long.MIN_VALUE;

    private final ChunkCompressor compressor;
    private final EncodedChunk[] queue;
    private final Thread thread = new Thread(this::compressUntilClosed, "chunk-compressor");

    /** The sending thread while it waits. */
    private volatile @Nullable Thread waiting;

    private volatile @Nullable TransferSender connection;

    // Numbers of chunks: all below `produced` are in the queue or were taken; those from `taken` are not yet sent.
    private volatile long produced = NONE;
    private volatile long taken;
    // The range ends before this chunk. The sending thread raises it, the compressing thread lowers it.
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
     * Waits for a chunk, and returns it; null if it is not in the range, and the compressor is not in use.
     *
     * @throws IOException if compression failed, or this was closed
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

    /** Waits until the range ends, or the queue has the chunk, or the thread has done something else. */
    private void await(long sequence) throws IOException {
        waiting = Thread.currentThread();
        check();
        if (produced <= sequence && sequence < end) {
            LockSupport.park(this);
        }
        waiting = null;
        if (Thread.interrupted()) {
            throw new InterruptedIOException("stopped");
        }
    }

    private void check() throws IOException {
        Throwable failed = failure;
        if (failed != null) {
            throw new IOException("Compressing a chunk failed: " + failed, failed);
        } else if (closing) {
            throw new InterruptedIOException("stopped");
        }
    }

    /** Returns the place of a chunk to the queue, after it was sent. */
    void release(long sequence) {
        taken = sequence + 1;
        LockSupport.unpark(thread);
    }

    /** Ends the range, if there is one, and waits until the compressor is not in use. Drops the chunks in the queue. */
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
                continue; // the sending thread has just ended the range: the two values may not belong together
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
                end = next; // the sending thread compresses this chunk, and gets the exception, if it needs the chunk
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
