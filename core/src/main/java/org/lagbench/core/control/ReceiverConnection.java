package org.lagbench.core.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.Access.Grant;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.text.Endpoint;

/** Connects to receivers, and to senders that wait for a receiver. */
public final class ReceiverConnection {
    /** A receiver's default address. */
    public static final Endpoint DEFAULT_RECEIVER = new Endpoint("127.0.0.1", 5394);

    private static final int TIMEOUT_MS = 10_000;

    /** The longest wait for a receiver's reply, on a busy machine. */
    private static final int LONGEST_TIMEOUT_MS = 50_000;

    /** How long a process that has just been started may take to answer: on a busy machine it loads its code slowly. */
    private static final int NEW_PROCESS_TIMEOUT_MS = 60_000;

    private ReceiverConnection() {}

    /**
     * Connects to a receiver and performs the handshake. An interruption of this program ends the wait.
     *
     * @throws LagbenchException if no receiver answers, or it refuses
     */
    public static ControlConnection open(Endpoint receiver, @Nullable SharedKey key, ShutdownCoordinator shutdown)
            throws LagbenchException {
        Greeting greeting = socket -> {
            ControlConnection connection = ControlConnection.ofSender(socket);
            connection.readTimeoutMs(Math.min(HostLoad.patienceMs(TIMEOUT_MS), LONGEST_TIMEOUT_MS));
            Handshake.introduce(connection, key);
            return connection;
        };
        return open(receiver, "receiver", greeting, "start one there with lagbench serve.", shutdown);
    }

    /**
     * Connects to a sender that waits for its receiver, and performs the receiver's part of the handshake. An
     * interruption of this program ends the wait.
     *
     * @throws LagbenchException if no sender answers, or it does not have the key
     */
    public static ControlConnection openToSender(Endpoint sender, @Nullable SharedKey key, ShutdownCoordinator shutdown)
            throws LagbenchException {
        Greeting greeting = socket -> {
            ControlConnection connection = ControlConnection.ofReceiver(socket);
            connection.readTimeoutMs(HostLoad.patienceMs(NEW_PROCESS_TIMEOUT_MS));
            Handshake.authenticate(connection, Access.of(key, Grant.DEFAULT));
            return connection;
        };
        return open(sender, "sender", greeting, "does a firewall block that port?", shutdown);
    }

    private static ControlConnection open(
            Endpoint peer, String role, Greeting greeting, String advice, ShutdownCoordinator shutdown)
            throws LagbenchException {
        InetSocketAddress address = peer.resolve();
        Socket socket = new Socket();
        Runnable stop = () -> interrupt(socket);
        LagbenchException failure;
        shutdown.onInterrupt(stop);
        try {
            connect(socket, address, "No " + role + " answers at " + peer, advice);
            ControlConnection connection = greeting.exchange(socket);
            connection.readTimeoutMs(0);
            return connection;
        } catch (ControlConnection.RefusedException e) {
            failure = e.asFailure();
        } catch (LagbenchException e) {
            failure = e;
        } catch (IOException e) {
            failure = ExitCode.PEER.failure(
                    "The " + role + " at " + peer
                            + (e instanceof ProtocolException
                                    ? " sent " + IoErrors.reason(e) + "."
                                    : " accepts connections but does not answer (" + IoErrors.reason(e)
                                            + "); it may be busy with others, or it is no lagbench " + role
                                            + ": try again, or check there."),
                    e);
        } finally {
            shutdown.forget(stop);
        }
        try {
            socket.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        throw shutdown.isInterrupted() ? ExitCode.INTERRUPTED.failure("Interrupted", failure) : failure;
    }

    private static void connect(Socket socket, InetSocketAddress address, String failure, String advice)
            throws LagbenchException {
        try {
            socket.connect(address, TIMEOUT_MS); // the peer's kernel accepts it, however busy its programs are
        } catch (IOException e) {
            throw ExitCode.PEER.failure(failure + " (" + IoErrors.reason(e) + "); " + advice, e);
        }
    }

    /**
     * Closes a connection when this program is interrupted; the user is notified of a failure. For any thread.
     *
     * @param why sent to the peer as by {@link ControlConnection#refuseAndClose}; null for nothing
     */
    public static void interrupt(ControlConnection connection, ControlMessage.@Nullable Refused why) {
        try {
            if (why != null) {
                connection.refuseAndClose(why);
            } else {
                connection.close();
            }
        } catch (IOException e) {
            printFailure(e);
        }
    }

    private static void interrupt(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            printFailure(e);
        }
    }

    private static void printFailure(IOException e) {
        System.err.println("lagbench: the control connection cannot be closed: " + IoErrors.reason(e));
    }

    /** The handshake on a connected socket. */
    private interface Greeting {
        ControlConnection exchange(Socket socket) throws IOException, LagbenchException;
    }
}
