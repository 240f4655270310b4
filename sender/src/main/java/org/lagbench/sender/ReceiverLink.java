package org.lagbench.sender;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.Handshake;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

/** How a sender gets its control connection to the receiver. */
interface ReceiverLink {
    /**
     * Opens the connection and performs the handshake. Called once.
     *
     * @throws LagbenchException if there is no receiver, or it does not have the key
     */
    ControlConnection open() throws LagbenchException;

    /**
     * Returns whether the receiver has requested this sender. Then it keeps the files of both sides, and the packets go
     * only to its address on the control connection.
     */
    boolean isRequested();

    /** Returns whether the run is a probe: nothing is printed, and the receiver deletes its files. */
    default boolean isProbe() {
        return false;
    }

    /** Returns whether this host keeps its files of a run that the receiver has requested. */
    default boolean keepsFiles() {
        return false;
    }

    /** Closes the connection of an interrupted run; a receiver that requested the sender gets the reason. */
    default void interrupt(ControlConnection connection) {
        ReceiverConnection.interrupt(connection, null);
    }

    /**
     * Closes the connection of a failed run if the receiver requested the sender. The receiver, which may have caused
     * the failure, gets the reason.
     */
    default void refuse(ControlConnection connection, LagbenchException failure) {
        if (!isRequested()) {
            return;
        }
        try {
            connection.refuseAndClose(
                    new ControlMessage.Refused(Refusal.of(failure.exitCode()), "On the sender: " + failure.sentence()));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** A link that connects to a receiver, and introduces a probe as such. */
    record Connecting(
            Endpoint receiver, @Nullable SharedKey key, LocalEnd local, boolean isProbe, ShutdownCoordinator shutdown)
            implements ReceiverLink {
        @Override
        public ControlConnection open() throws LagbenchException {
            ControlConnection connection = ReceiverConnection.open(receiver, key, local, shutdown);
            try {
                if (isProbe) {
                    connection.write(new ControlMessage.Probe());
                }
            } catch (IOException e) {
                throw ExitCode.PEER.failure(
                        "The receiver at " + receiver + " has closed the connection: " + IoErrors.reason(e) + ".", e);
            }
            return connection;
        }

        @Override
        public boolean isRequested() {
            return false;
        }
    }

    /**
     * Waits for the receiver that has requested this sender: the first connection from that host that proves it has the
     * key. Closes others.
     *
     * @param local this host's address and port; port 0 selects a free one
     * @param receiverHost the only host whose connections are accepted
     */
    record Accepting(
            Endpoint local,
            InetAddress receiverHost,
            @Nullable SharedKey key,
            boolean keepsFiles,
            ShutdownCoordinator shutdown)
            implements ReceiverLink {
        private static final int TIMEOUT_MS = 30_000;
        private static final int HANDSHAKE_TIMEOUT_MS = 10_000;

        @Override
        public boolean isRequested() {
            return true;
        }

        @Override
        public void interrupt(ControlConnection connection) {
            ReceiverConnection.interrupt(
                    connection,
                    shutdown.isOrphaned()
                            ? new ControlMessage.Refused(
                                    Refusal.FAILED, "The sender ended because its parent process died")
                            : new ControlMessage.Refused(Refusal.INTERRUPTED, "The sender was interrupted"));
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
                    SidePipe.print(new SideMessage.Listening(address));
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
            long deadlineNs = deadlineNs(TIMEOUT_MS);
            while (true) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    throw new SocketTimeoutException("Accept timed out");
                }
                listening.setSoTimeout(Math.toIntExact(leftMs));
                Socket accepted = listening.accept();
                ControlConnection connection =
                        accepted.getInetAddress().equals(receiverHost) ? introduced(accepted, deadlineNs) : null;
                if (connection != null) {
                    return connection;
                }
                accepted.close();
            }
        }

        private static long deadlineNs(int idleMs) {
            return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Patience.ofMs(idleMs));
        }

        /** Performs the handshake; returns null if the peer is not a receiver with the key. */
        private @Nullable ControlConnection introduced(Socket accepted, long deadlineNs) throws IOException {
            ControlConnection connection = ControlConnection.ofSender(accepted);
            Runnable stop = () -> close(accepted); // a peer that sends nothing must not delay an interruption
            shutdown.onInterrupt(stop);
            try {
                long ownNs = deadlineNs(HANDSHAKE_TIMEOUT_MS);
                connection.readDeadlineNs(ownNs - deadlineNs < 0 ? ownNs : deadlineNs);
                Handshake.introduce(connection, key);
                connection.readTimeoutMs(0);
                return connection;
            } catch (IOException | LagbenchException e) {
                System.err.println("lagbench: " + connection.peer() + " is not the receiver: " + IoErrors.reason(e));
                return null;
            } finally {
                shutdown.forget(stop);
            }
        }

        private static void close(Closeable socket) {
            try {
                socket.close();
            } catch (IOException e) {
                System.err.println("lagbench: the port of the sender cannot be closed: " + IoErrors.reason(e));
            }
        }
    }
}
