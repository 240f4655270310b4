package org.lagbench.interfaces.javanet;

import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the run's sender: the first connection whose first 8 bytes are the run's tag, each read in its own thread.
 * Other connections are closed and counted as foreign. At most {@value #MAXIMUM_PENDING} connections are pending, which
 * bounds the number of threads: one more closes the oldest.
 */
final class SenderAcceptor implements AutoCloseable {
    private static final int MAXIMUM_PENDING = 64;
    private static final int TIMEOUT_MS = 5_000;

    private final ServerSocket listening;
    private final long tag;
    private final ThreadFactory threads;

    /** Connections that have not yet sent a tag, oldest first. Guarded by this. */
    private final Set<Socket> pending = new LinkedHashSet<>();

    /** The sender's connection. Guarded by this. */
    private @Nullable Socket sender;

    private boolean closed;

    SenderAcceptor(ServerSocket listening, long tag, ThreadFactory threads) {
        this.listening = listening;
        this.tag = tag;
        this.threads = threads;
    }

    /**
     * Waits for the sender, then closes the port.
     *
     * @param foreign called for each connection that is not the sender's, by one thread at a time, and by none after
     *     the return
     * @return the connection, with the tag already read; null once closed
     */
    @Nullable
    Socket accept(Runnable foreign) throws IOException {
        try {
            while (true) {
                add(listening.accept(), foreign);
            }
        } catch (SocketException e) {
            if (!listening.isClosed()) {
                throw e;
            }
        }
        synchronized (this) {
            return sender;
        }
    }

    private synchronized void add(Socket connection, Runnable foreign) {
        if (sender != null || closed) {
            reject(connection, foreign);
            return;
        }
        if (pending.size() == MAXIMUM_PENDING) {
            Socket oldest = pending.iterator().next();
            pending.remove(oldest);
            reject(oldest, foreign);
        }
        pending.add(connection);
        threads.newThread(() -> identify(connection, foreign)).start();
    }

    private void identify(Socket connection, Runnable foreign) {
        boolean isSender = beginsWithTag(connection);
        synchronized (this) {
            if (!pending.remove(connection)) {
                return; // closed by another thread in the meantime
            }
            if (!isSender) {
                reject(connection, foreign);
                return;
            }
            sender = connection;
            pending.forEach(other -> reject(other, foreign));
            pending.clear();
        }
        close(listening); // ends accept()
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

    private static void reject(Socket connection, Runnable foreign) {
        close(connection);
        foreign.run();
    }

    /** Closes the port and all connections, the sender's too. Any thread may call it. */
    @Override
    public void close() {
        close(listening);
        synchronized (this) {
            closed = true;
            pending.forEach(SenderAcceptor::close);
            pending.clear();
            close(sender);
        }
    }

    /** Closes a socket, if not null, and ignores failures. */
    static void close(@Nullable Closeable socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            return; // the kernel releases the descriptor even if close(2) fails
        }
    }
}
