package org.lagbench.control;

import java.io.FilterInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The input of a socket with one deadline for all reads together. For one thread. */
final class DeadlineInputStream extends FilterInputStream {
    private final Socket socket;
    private @Nullable Long deadlineNs;

    DeadlineInputStream(Socket socket) throws IOException {
        super(socket.getInputStream());
        this.socket = socket;
    }

    /** Sets when all following reads end, by {@link System#nanoTime}; null for the socket's own timeout. */
    void deadlineNs(@Nullable Long atNs) {
        deadlineNs = atNs;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        Long endNs = deadlineNs;
        if (endNs != null) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
            if (leftMs <= 0) {
                throw new SocketTimeoutException("Read timed out");
            }
            socket.setSoTimeout(Math.toIntExact(Math.min(leftMs, Integer.MAX_VALUE)));
        }
        return super.read(into, offset, length);
    }
}
