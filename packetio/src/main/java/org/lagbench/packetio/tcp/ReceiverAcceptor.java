package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.Sockets;
import org.lagbench.packetio.transport.SideConfig;

/** The port of a sender to which the receiver connects. One thread accepts; any thread may close. */
final class ReceiverAcceptor implements AutoCloseable {
    private static final int BACKLOG = 64;
    private static final int TIMEOUT_MS = 10_000;

    private final SideConfig run;
    private final ServerSocketChannel listening;
    private final Map<String, String> announcement;
    private volatile @Nullable SenderAcceptor accepting;

    private ReceiverAcceptor(SideConfig run, ServerSocketChannel listening) throws IOException {
        this.run = run;
        this.listening = listening;
        this.announcement = DataPort.announce(DataPort.boundTo(listening));
    }

    /** Opens a free port at the run's address. */
    static ReceiverAcceptor listen(SideConfig run) throws LagbenchException {
        String host = Objects.requireNonNull(run.listensAt());
        DataPort local = DataPort.listening(run);
        ServerSocketChannel listening = null;
        try {
            listening = ServerSocketChannel.open(local.family());
            Sockets.bindToDevice(listening, run);
            listening.bind(local.address(), BACKLOG);
            return new ReceiverAcceptor(run, listening);
        } catch (IOException | UnsupportedOperationException e) {
            Sockets.close(listening);
            throw ExitCode.UNAVAILABLE.failure(
                    "Cannot listen for the receiver's TCP connection on " + host + ": " + IoErrors.reason(e) + ".", e);
        }
    }

    /** Returns the announcement of the port. */
    Map<String, String> announce() {
        return announcement;
    }

    /**
     * Returns the connection of the receiver, which has connected before it accepts the run.
     *
     * @throws IOException if it has not, or another host has connected in its place
     */
    SocketChannel accept() throws IOException {
        Executor timeout = CompletableFuture.delayedExecutor(Patience.ofMs(TIMEOUT_MS), TimeUnit.MILLISECONDS);
        try (SenderAcceptor acceptor = new SenderAcceptor(listening, run.tag())) {
            accepting = acceptor;
            timeout.execute(acceptor::cancel);
            SocketChannel receiver = acceptor.accept(() -> {});
            if (receiver == null) {
                throw new IOException("it did not connect to " + listening);
            }
            if (!(receiver.getRemoteAddress() instanceof InetSocketAddress remote
                    && remote.getAddress().equals(InetAddress.getByName(run.host())))) {
                Sockets.close(receiver);
                throw new IOException("another host connected in its place");
            }
            return receiver;
        } finally {
            accepting = null;
        }
    }

    @Override
    public void close() {
        SenderAcceptor acceptor = accepting;
        if (acceptor != null) {
            acceptor.cancel();
        } else {
            Sockets.close(listening);
        }
    }
}
