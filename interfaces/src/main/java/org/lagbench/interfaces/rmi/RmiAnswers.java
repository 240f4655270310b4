package org.lagbench.interfaces.rmi;

import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.TransportRun;

/**
 * A queue of the answers that calls returned, each with its stamp. The calling thread adds them; one thread receives.
 */
final class RmiAnswers implements PacketReceiver {
    private static final long POLL_MS = 50;

    private final TransportRun run;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private volatile boolean closed;

    private record Answer(ByteBuffer packet, long answeredNs) {}

    RmiAnswers(TransportRun run) {
        this.run = run;
    }

    /** Adds an answer, stamped when its call returned. */
    void add(byte[] packet, long answeredNs) {
        answers.add(new Answer(ByteBuffer.wrap(packet), answeredNs));
    }

    @Override
    public int receive(PacketAccounting accounting) throws InterruptedIOException {
        Answer answer;
        try {
            answer = answers.poll(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("stopped");
        }
        if (answer == null) {
            return closed ? END : 0;
        }
        ByteBuffer packet = answer.packet;
        if (packet.remaining() != run.packetBytes()) {
            accounting.countForeign();
        } else if (run.hasHeader()) {
            accounting.packet(packet, 0, answer.answeredNs, PacketLayout.sentNs(packet, 0));
        } else {
            accounting.nextPacket(answer.answeredNs, 0);
        }
        return 1;
    }

    @Override
    public Map<String, String> announce() {
        return Map.of();
    }

    @Override
    public Map<String, Object> metadata() {
        return Map.of();
    }

    /** Returns 0: calls lose nothing. */
    @Override
    public long kernelDrops() {
        return 0;
    }

    @Override
    public void close() {
        closed = true;
    }
}
