package org.lagbench.packetio.tcp;

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
import org.lagbench.packetio.packet.PacketAccounting;
import org.lagbench.packetio.socket.Sockets;

/**
 * Finds the run's sender among all who connect to its port: the first whose first 8 bytes are the run's tag. Whoever
 * sends others, says nothing for {@value #PATIENCE_S} s, or is still undecided when the sender is found, is hung up on
 * and counted as foreign. As no more than {@value #MOST_PENDING} may be undecided at a time, nobody can exhaust this
 * process.
 */
final class SenderAcceptor implements AutoCloseable {
    private static final int MOST_PENDING = 64;
    private static final int PATIENCE_S = 5;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(PATIENCE_S);

    private final ServerSocketChannel listening;
    private final long tag;
    private final Selector selector;
    private final SelectionKey listeningKey;

    /** Who has not yet sent a tag, oldest first. */
    private final Deque<Candidate> pending = new ArrayDeque<>();

    private volatile boolean cancelled;

    /** Somebody who connected. */
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
            this.listeningKey = listening.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            selector.close();
            throw e;
        }
    }

    /**
     * Waits for the sender.
     *
     * @return its connection, in blocking mode, with the tag already read; null if {@link #cancel} was called or the
     *     thread interrupted
     */
    @Nullable
    SocketChannel accept(PacketAccounting arrivals) throws IOException {
        SocketChannel sender = null;
        while (sender == null && !cancelled && !Thread.currentThread().isInterrupted()) {
            selector.select(millisecondsOfPatience());
            if (!cancelled) {
                acceptNewcomers();
                sender = sender(arrivals);
                selector.selectedKeys().clear();
                hangUpOnTheSlow(arrivals);
                listeningKey.interestOps(pending.size() < MOST_PENDING ? SelectionKey.OP_ACCEPT : 0);
            }
        }
        if (sender != null) {
            while (!pending.isEmpty()) {
                hangUp(pending.removeFirst(), arrivals);
            }
            sender.keyFor(selector).cancel();
            selector.selectNow(); // only now is the connection free of the selector
            sender.configureBlocking(true);
        }
        return sender;
    }

    private void acceptNewcomers() throws IOException {
        while (pending.size() < MOST_PENDING) {
            SocketChannel connection = listening.accept();
            if (connection == null) {
                break;
            }
            connection.configureBlocking(false);
            Candidate candidate = new Candidate(connection, ByteBuffer.allocateDirect(Long.BYTES), System.nanoTime());
            pending.addLast(candidate);
            connection.register(selector, SelectionKey.OP_READ, candidate);
        }
    }

    private @Nullable SocketChannel sender(PacketAccounting arrivals) {
        for (SelectionKey key : selector.selectedKeys()) {
            if (key.isValid() && key.attachment() instanceof Candidate candidate) {
                boolean ended = readEnded(candidate);
                ByteBuffer bytes = candidate.firstBytes();
                if (!bytes.hasRemaining() && bytes.getLong(0) == tag) {
                    pending.remove(candidate);
                    return candidate.connection();
                }
                if (ended || !bytes.hasRemaining()) {
                    pending.remove(candidate);
                    hangUp(candidate, arrivals);
                }
            }
        }
        return null;
    }

    /** Reads what a candidate sent of its first bytes; whether no more will come. */
    private static boolean readEnded(Candidate candidate) {
        try {
            return candidate.connection().read(candidate.firstBytes()) < 0;
        } catch (IOException e) {
            return true; // a stranger who hung up: it is counted, and is no failure of the run
        }
    }

    private void hangUpOnTheSlow(PacketAccounting arrivals) {
        long now = System.nanoTime();
        while (!pending.isEmpty() && now - pending.getFirst().connectedNs() >= PATIENCE_NS) {
            hangUp(pending.removeFirst(), arrivals);
        }
    }

    private static void hangUp(Candidate candidate, PacketAccounting arrivals) {
        Sockets.close(candidate.connection());
        arrivals.countForeign();
    }

    /** How long until the oldest candidate's patience ends; 0, which is for ever, if there is none. */
    private long millisecondsOfPatience() {
        if (pending.isEmpty()) {
            return 0;
        }
        long leftNs = PATIENCE_NS - (System.nanoTime() - pending.getFirst().connectedNs());
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(leftNs) + 1);
    }

    /** Makes {@link #accept} return, now or whenever it is called. For any thread. */
    void cancel() {
        cancelled = true;
        selector.wakeup();
    }

    /** Gives back all but the sender's connection. For the accepting thread. */
    @Override
    public void close() throws IOException {
        pending.forEach(candidate -> Sockets.close(candidate.connection()));
        Sockets.close(listening);
        selector.close();
    }
}
