package org.lagbench.engines.javanet;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.socket.Sockets;

/**
 * Accepts connections in a separate thread, and reads the first 8 bytes of each in a thread of that connection. If they
 * are the run's tag, the connection is the sender's. Others are closed and counted as foreign. At most
 * {@value #MAXIMUM_PENDING} connections are pending, which bounds the number of threads: one more closes the oldest.
 */
final class SenderAcceptor implements AutoCloseable {
    private static final int MAXIMUM_PENDING = 64;
    private static final int TIMEOUT_MS = 5_000;

    private final ServerSocket listening;
    private final long tag;
    private final ThreadFactory threads;
    private final boolean acceptsMore;

    // Guarded by this.
    /** Connections that have not yet sent a tag, oldest first. */
    private final Set<Socket> pending = new LinkedHashSet<>();

    private @Nullable Socket sender;
    private @Nullable IOException failure;
    private int foreign;
    private boolean started;
    private boolean closed;

    /**
     * Creates an acceptor.
     *
     * @param acceptsMore whether the sender connects more than once, one connection after the other; else the first one
     *     closes the port
     */
    SenderAcceptor(ServerSocket listening, long tag, ThreadFactory threads, boolean acceptsMore) {
        this.listening = listening;
        this.tag = tag;
        this.threads = threads;
        this.acceptsMore = acceptsMore;
    }

    /**
     * Waits for a connection of the sender. One thread calls it.
     *
     * @param countForeign called in this thread for each other connection so far
     * @return the connection, with the tag already read; null once closed
     */
    synchronized @Nullable Socket accept(Runnable countForeign) throws IOException {
        if (!started) {
            started = true;
            threads.newThread(this::acceptAll).start();
        }
        try {
            while (sender == null && failure == null && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (; foreign > 0; foreign--) {
            countForeign.run();
        }
        if (failure != null && !closed) {
            throw failure;
        }
        Socket accepted = closed ? null : sender;
        if (acceptsMore) {
            sender = null;
        }
        return accepted;
    }

    private void acceptAll() {
        try {
            while (true) {
                add(listening.accept());
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private synchronized void fail(IOException reason) {
        if (!listening.isClosed()) {
            failure = reason;
            notifyAll();
        }
    }

    private synchronized void add(Socket connection) {
        if ((sender != null && !acceptsMore) || closed) {
            reject(connection);
            return;
        }
        if (pending.size() == MAXIMUM_PENDING) {
            Socket oldest = pending.iterator().next();
            pending.remove(oldest);
            reject(oldest);
        }
        pending.add(connection);
        threads.newThread(() -> identify(connection)).start();
    }

    private void identify(Socket connection) {
        boolean isSender = beginsWithTag(connection);
        synchronized (this) {
            if (!pending.remove(connection)) {
                return; // closed by another thread in the meantime
            }
            if (!isSender || sender != null) {
                reject(connection);
                return;
            }
            sender = connection;
            if (!acceptsMore) {
                pending.forEach(this::reject);
                pending.clear();
                Sockets.close(listening);
            }
            notifyAll();
        }
    }

    private boolean beginsWithTag(Socket connection) {
        try {
            connection.setSoTimeout(TIMEOUT_MS);
            byte[] first = connection.getInputStream().readNBytes(Long.BYTES);
            connection.setSoTimeout(0);
            return first.length == Long.BYTES && ByteBuffer.wrap(first).getLong() == tag;
        } catch (IOException e) {
            return false; // counted as foreign, not a failure of the run
        }
    }

    private void reject(Socket connection) {
        Sockets.close(connection);
        foreign++;
    }

    /** Closes the port and the connections that {@link #accept} has not returned. Any thread may call it. */
    @Override
    public void close() {
        Sockets.close(listening);
        synchronized (this) {
            closed = true;
            pending.forEach(Sockets::close);
            pending.clear();
            Sockets.close(sender);
            notifyAll();
        }
    }
}
