package org.lagbench.engines.message;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.packetio.socket.PortReceiver;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.SideConfig;

/**
 * A receiver whose interface calls it with each message, in one of the interface's threads. {@link #receive} waits
 * meanwhile.
 */
public abstract class PushReceiver extends PortReceiver {
    private final CompletableFuture<PacketAccounting> accounting = new CompletableFuture<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();

    /** Measures the bytes that the interface's receiving thread allocates. */
    protected final AllocationMeter allocation = new AllocationMeter(AllocationMeter.CONNECTION_THREAD);

    private volatile @Nullable PacketThread thread;

    protected PushReceiver(SideConfig run) {
        super(run);
    }

    /** Sets the one thread in which the interface calls this with packets; null if it is unknown. */
    protected final void receiveIn(@Nullable PacketThread calling) {
        thread = calling;
    }

    @Override
    public final @Nullable PacketThread receivingThread() {
        return thread;
    }

    /**
     * Returns the counters; waits until the run has begun to receive. The caller ensures that only one thread at a time
     * uses them.
     *
     * @throws CancellationException if this was closed before
     */
    protected final PacketAccounting accounting() {
        return accounting.join();
    }

    /** Ends the reception: no more packets can arrive. */
    protected final void end() {
        ended.complete(END);
    }

    /** Ends the reception with a failure of the run. */
    protected final void fail(IOException failure) {
        ended.completeExceptionally(failure);
    }

    /**
     * Ends {@link #receive}, and threads that wait for {@link #accounting}. {@link #release} calls it before it waits
     * for the interface's threads.
     */
    protected final void endReceive() {
        end();
        accounting.cancel(false);
    }

    @Override
    public final boolean usesCallersThread() {
        return false;
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        allocation.putMetadata(into);
    }

    @Override
    public final int receive(PacketAccounting into) throws IOException {
        accounting.complete(into);
        try {
            return Uninterruptibly.get(ended);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
