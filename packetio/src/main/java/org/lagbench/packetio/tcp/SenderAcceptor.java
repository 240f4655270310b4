package org.lagbench.packetio.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.socket.Sockets;

/**
 * Accepts the run's other side, called the sender here: the first connection whose first 8 bytes are the run's tag.
 * Connections that begin with other bytes, send nothing for {@value #TIMEOUT_S} s, or are pending when the sender is
 * found are closed and counted as foreign. At most {@value #MAXIMUM_PENDING} connections are pending, which bounds this
 * process's resources: a new one replaces the oldest, so that idle connections do not keep the sender out.
 */
final class SenderAcceptor implements Closeable {
    private static final int MAXIMUM_PENDING = 64;
    private static final int TIMEOUT_S = 5;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(TIMEOUT_S);

    private final ServerSocketChannel listening;
    private final long tag;
    private final Selector selector;
    /** Connections that have not yet sent a tag, oldest first. */
    private final Deque<Candidate> pending = new ArrayDeque<>();

    private volatile boolean canceled;

    private record Candidate(SocketChannel connection, ByteBuffer firstBytes, long connectedNs) {}

    /**
     * @param listening the listening socket; {@link #accept} makes it non-blocking and closes it
     * @param tag the run's tag
     */
    SenderAcceptor(ServerSocketChannel listening, long tag) throws IOException {
        this.listening = listening;
        this.tag = tag;
        this.selector = Selector.open();
        try {
            listening.configureBlocking(false);
            listening.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            selector.close();
            throw e;
        }
    }

    /**
     * Waits for the sender.
     *
     * @param foreign called for each connection that is not the sender's
     * @return the connection, in blocking mode, with the tag already read; null if {@link #cancel} was called or the
     *     thread interrupted
     */
    @Nullable
    SocketChannel accept(Runnable foreign) throws IOException {
        SocketChannel sender = null;
        while (sender == null && !canceled && !Thread.currentThread().isInterrupted()) {
            selector.select(timeoutMs());
            if (!canceled) {
                sender = sender(foreign);
                selector.selectedKeys().clear();
                if (sender == null) {
                    sender = acceptNew(foreign);
                    rejectExpired(foreign);
                }
            }
        }
        if (sender != null) {
            while (!pending.isEmpty()) {
                reject(pending.removeFirst(), foreign);
            }
            sender.keyFor(selector).cancel();
            selector.selectNow(); // deregisters the connection
            sender.configureBlocking(true);
        }
        return sender;
    }

    /**
     * Accepts waiting connections, at most {@value #MAXIMUM_PENDING} at a time. Returns the sender's connection if it
     * is the oldest.
     */
    private @Nullable SocketChannel acceptNew(Runnable foreign) throws IOException {
        for (int accepted = 0; accepted < MAXIMUM_PENDING; accepted++) {
            SocketChannel connection = listening.accept();
            if (connection == null) {
                return null;
            }
            if (pending.size() == MAXIMUM_PENDING) {
                Candidate oldest = pending.removeFirst();
                readEnded(oldest);
                if (isSender(oldest)) {
                    Sockets.close(connection);
                    return oldest.connection();
                }
                reject(oldest, foreign);
            }
            connection.configureBlocking(false);
            Candidate candidate = new Candidate(connection, ByteBuffer.allocateDirect(Long.BYTES), System.nanoTime());
            pending.addLast(candidate);
            connection.register(selector, SelectionKey.OP_READ, candidate);
        }
        return null;
    }

    private boolean isSender(Candidate candidate) {
        ByteBuffer bytes = candidate.firstBytes();
        return !bytes.hasRemaining() && bytes.getLong(0) == tag;
    }

    private @Nullable SocketChannel sender(Runnable foreign) {
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid() && key.attachment() instanceof Candidate candidate) {
                boolean ended = readEnded(candidate);
                ByteBuffer bytes = candidate.firstBytes();
                if (isSender(candidate)) {
                    pending.remove(candidate);
                    return candidate.connection();
                }
                if (ended || !bytes.hasRemaining()) {
                    pending.remove(candidate);
                    reject(candidate, foreign);
                }
            }
        }
        return null;
    }

    /** Reads a candidate's first bytes as far as available. Returns whether it has ended the connection. */
    private static boolean readEnded(Candidate candidate) {
        try {
            return candidate.connection().read(candidate.firstBytes()) < 0;
        } catch (IOException e) {
            return true; // counted as foreign, not a failure of the run
        }
    }

    private void rejectExpired(Runnable foreign) {
        long now = System.nanoTime();
        while (!pending.isEmpty() && now - pending.getFirst().connectedNs() >= TIMEOUT_NS) {
            reject(pending.removeFirst(), foreign);
        }
    }

    private static void reject(Candidate candidate, Runnable foreign) {
        Sockets.close(candidate.connection());
        foreign.run();
    }

    /** Returns the time until the oldest candidate expires; 0, which is unlimited, if there is none. */
    private long timeoutMs() {
        if (pending.isEmpty()) {
            return 0;
        }
        long leftNs = TIMEOUT_NS - (System.nanoTime() - pending.getFirst().connectedNs());
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
    }

    /** Makes the current or next {@link #accept} return. Any thread may call it. */
    void cancel() {
        canceled = true;
        selector.wakeup();
    }

    /** Releases all resources except the sender's connection. Called by the accepting thread. */
    @Override
    public void close() throws IOException {
        pending.forEach(candidate -> Sockets.close(candidate.connection()));
        Sockets.close(listening);
        selector.close();
    }
}
