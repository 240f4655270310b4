package org.lagbench.interfaces.message;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.packet.PacketLayout;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.TransportRun;

/**
 * A queue of answers that other threads have received and stamped: calling threads, or those of the interface. One
 * thread receives from it.
 */
public final class AnswerQueue implements PacketReceiver {
    private static final long POLL_MS = 50;

    private final TransportRun run;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private volatile boolean closed;

    /** @param failure why no more answers come; null for an answer */
    private record Answer(ByteBuffer packet, long answeredNs, @Nullable IOException failure) {}

    /** Creates the queue of a sender's run. */
    public AnswerQueue(TransportRun run) {
        this.run = run;
    }

    /** Adds an answer, stamped when it was received. Any thread may call it. */
    public void add(byte[] packet, long answeredNs) {
        answers.add(new Answer(ByteBuffer.wrap(packet), answeredNs, null));
    }

    /** Ends the answers: {@link #receive} throws the failure after those before it. Any thread may call it. */
    public void fail(IOException failure) {
        answers.add(new Answer(ByteBuffer.allocate(0), 0, failure));
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        Answer answer;
        try {
            answer = answers.poll(POLL_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptedIOException("stopped");
        }
        if (answer == null) {
            return closed ? END : 0;
        }
        if (answer.failure != null) {
            if (closed) {
                return END;
            }
            throw answer.failure;
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
