package org.lagbench.sender;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.Handshake;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.text.Endpoint;

/**
 * Waits for the receiver that has requested this sender: the first connection from that host that proves it has the
 * key. Closes others.
 *
 * @param local this host's address and port; port 0 selects a free one
 * @param receiverHost the only host whose connections are accepted
 */
record ReceiverAcceptor(Endpoint local, InetAddress receiverHost, @Nullable SharedKey key, ShutdownCoordinator shutdown)
        implements ReceiverLink {
    private static final long TIMEOUT_S = 30;
    private static final int HANDSHAKE_TIMEOUT_MS = 10_000;

    @Override
    public boolean isRequested() {
        return true;
    }

    @Override
    public ControlConnection open() throws LagbenchException {
        InetSocketAddress requested = local.resolve();
        try (ServerSocket listening = new ServerSocket()) {
            Runnable stop = () -> close(listening);
            shutdown.onInterrupt(stop);
            try {
                listening.bind(requested);
                Endpoint address = Endpoint.of((InetSocketAddress) listening.getLocalSocketAddress());
                new ProgramEvent(ProgramEvent.Kind.LISTENING, address.toString()).print();
                return accept(listening);
            } finally {
                shutdown.forget(stop);
            }
        } catch (IOException e) {
            ExitCode code = shutdown.isInterrupted() ? ExitCode.INTERRUPTED : ExitCode.PEER;
            throw code.failure(
                    "The receiver that requested this sender did not connect to " + local.host() + ": "
                            + IoErrors.reason(e) + ".",
                    e);
        }
    }

    private ControlConnection accept(ServerSocket listening) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        while (true) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            listening.setSoTimeout(Math.toIntExact(Math.max(1, leftMs)));
            Socket accepted = listening.accept();
            ControlConnection connection = accepted.getInetAddress().equals(receiverHost) ? introduced(accepted) : null;
            if (connection != null) {
                return connection;
            }
            accepted.close();
        }
    }

    /** Performs the handshake; returns null if the peer is not a receiver with the key. */
    private @Nullable ControlConnection introduced(Socket accepted) throws IOException {
        ControlConnection connection = ControlConnection.ofSender(accepted);
        try {
            connection.readTimeoutMs(HostLoad.patienceMs(HANDSHAKE_TIMEOUT_MS));
            Handshake.introduce(connection, key);
            connection.readTimeoutMs(0);
            return connection;
        } catch (IOException | LagbenchException e) {
            System.err.println("lagbench: " + connection.peer() + " is not the receiver: " + e.getMessage());
            return null;
        }
    }

    private static void close(ServerSocket listening) {
        try {
            listening.close();
        } catch (IOException e) {
            System.err.println("lagbench: the port of the sender cannot be closed: " + IoErrors.reason(e));
        }
    }
}
