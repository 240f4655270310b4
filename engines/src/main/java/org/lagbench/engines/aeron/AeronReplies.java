package org.lagbench.engines.aeron;

import io.aeron.Subscription;
import java.io.IOException;
import java.util.Map;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.TransportRun;

/** Receives the answers, which come on a second stream. */
final class AeronReplies implements PacketReceiver {
    private final AeronPoll poll;

    AeronReplies(TransportRun run, Subscription subscription) {
        poll = new AeronPoll(
                subscription,
                run.packetBytes(),
                (packet, answeredNs, accounting) ->
                        accounting.packet(packet, 0, answeredNs, PacketLayout.sentNs(packet, 0)));
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        return poll.receive(accounting);
    }

    /** Returns false: the media driver's thread receives from the socket. */
    @Override
    public boolean usesCallersThread() {
        return false;
    }

    @Override
    public Map<String, String> announce() {
        return Map.of();
    }

    @Override
    public Map<String, Object> metadata() {
        return Map.of();
    }

    /** Returns 0: Aeron sends lost packets again. */
    @Override
    public long kernelDrops() {
        return 0;
    }

    /** Returns when no more answers are passed on. */
    @Override
    public void close() {
        poll.close();
    }
}
