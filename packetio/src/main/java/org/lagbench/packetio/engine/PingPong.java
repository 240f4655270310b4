package org.lagbench.packetio.engine;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;

/**
 * Receives each answer in the sending thread before the next packet is sent. Where packets or answers can be lost, the
 * wait ends with the answer timeout.
 */
final class PingPong extends Replies {
    private final PacketAccounting accounting;
    private final boolean canLose;
    private @Nullable PacketReceiver receiver;

    /** @param canLose whether packets and answers can be lost */
    PingPong(PacketAccounting accounting, long timeoutNs, boolean canLose) {
        super(accounting, timeoutNs);
        this.accounting = accounting;
        this.canLose = canLose;
    }

    @Override
    void open(PacketSender sender) throws IOException, LagbenchException {
        receiver = sender.openReplies(canLose ? timeoutNs : 0);
    }

    @Override
    boolean sendsEach() {
        return true;
    }

    @Override
    void await(long sequence) throws IOException {
        long beginNs = System.nanoTime();
        boolean hasTime = true;
        while (hasTime && !accounting.hasArrived(sequence)) {
            hasTime = receive(beginNs);
        }
    }

    @Override
    void drain() throws IOException {
        long beginNs = System.nanoTime();
        boolean hasTime = true;
        while (hasTime && !accounting.isComplete()) {
            hasTime = receive(beginNs);
        }
    }

    /** Makes one receive call; returns whether the wait may continue. */
    private boolean receive(long beginNs) throws IOException {
        PacketReceiver open = receiver;
        if (open == null || open.receive(accounting) == PacketReceiver.END) {
            throw new ClosedChannelException();
        }
        return !canLose || System.nanoTime() - beginNs < timeoutNs;
    }
}
