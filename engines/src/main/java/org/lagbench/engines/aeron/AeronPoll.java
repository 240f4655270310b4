package org.lagbench.engines.aeron;

import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;

/**
 * Polls a subscription, whose packets the media driver receives in its own thread. A packet is stamped when Aeron
 * passes it on, then copied; messages of another size are foreign. One thread polls, any thread may close.
 */
final class AeronPoll implements PacketReceiver {
    private static final int FRAGMENTS_PER_POLL = 16;

    private final Subscription subscription;
    private final Arrival arrival;
    private final ByteBuffer packet;
    private final FragmentAssembler assembler =
            new FragmentAssembler((buffer, offset, length, header) -> accept(buffer, offset, length));
    private final IdleStrategy idle = new BackoffIdleStrategy();

    /** The lock of each poll and of closing, after which Aeron unmaps the memory that a poll reads. */
    private final Object polling = new Object();

    private boolean closed;
    private @Nullable PacketAccounting counting;
    private @Nullable IOException failure;

    /** @param arrival what to do with each packet of the run; the buffer is reused for the next one */
    AeronPoll(Subscription subscription, int packetBytes, Arrival arrival) {
        this.subscription = subscription;
        this.arrival = arrival;
        this.packet = ByteBuffer.allocate(packetBytes);
    }

    /**
     * Passes on the messages that have arrived, or sleeps shortly if there are none.
     *
     * @return the number of fragments, or {@link PacketReceiver#END} once closed
     */
    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        int fragments;
        synchronized (polling) {
            if (closed) {
                return PacketReceiver.END;
            }
            counting = accounting;
            fragments = subscription.poll(assembler, FRAGMENTS_PER_POLL);
            if (failure != null) {
                throw failure;
            }
        }
        idle.idle(fragments);
        return fragments;
    }

    /** Returns false: the media driver's thread receives from the socket. */
    @Override
    public boolean usesCallersThread() {
        return false;
    }

    private void accept(DirectBuffer buffer, int offset, int length) {
        long receivedNs = RealtimeClock.nowNs();
        PacketAccounting accounting = Objects.requireNonNull(counting);
        if (length != packet.capacity()) {
            accounting.countForeign();
        } else if (failure == null) {
            buffer.getBytes(offset, packet, 0, length);
            try {
                long stamp = PacketAccounting.NO_STAMP;
                if (accounting.isOfRun(packet, 0)) {
                    stamp = arrival.stamp(packet, 0, stamp);
                }
                accounting.packet(packet, 0, receivedNs, stamp);
            } catch (IOException e) {
                failure = e; // Aeron would catch it
            }
        }
    }

    /** Waits for the current poll; later ones return {@link PacketReceiver#END}. */
    @Override
    public void close() {
        synchronized (polling) {
            closed = true;
        }
    }
}
