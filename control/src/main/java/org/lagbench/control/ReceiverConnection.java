package org.lagbench.control;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.Access.Grant;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

/** Connects to receivers, and to senders that wait for a receiver. */
public final class ReceiverConnection {
    private static final int TIMEOUT_MS = 10_000;

    /** The longest wait for a receiver's reply, on a busy machine. */
    private static final int LONGEST_TIMEOUT_MS = 50_000;

    /** How long a process that has just been started may take to answer: on a busy machine it loads its code slowly. */
    private static final int NEW_PROCESS_TIMEOUT_MS = 60_000;

    private ReceiverConnection() {}

    /**
     * Connects to a receiver and performs the handshake. Tries all addresses of its host in order. An interruption of
     * this program ends the wait.
     *
     * @throws LagbenchException if no receiver answers, with the failure at each address, or it refuses
     */
    public static ControlConnection open(Endpoint receiver, @Nullable SharedKey key, ShutdownCoordinator shutdown)
            throws LagbenchException {
        return open(receiver, key, LocalEnd.ANY, shutdown);
    }

    /** Connects as {@link #open(Endpoint, SharedKey, ShutdownCoordinator)} does, from an address of this host. */
    public static ControlConnection open(
            Endpoint receiver, @Nullable SharedKey key, LocalEnd from, ShutdownCoordinator shutdown)
            throws LagbenchException {
        Greeting greeting = socket -> {
            ControlConnection connection = ControlConnection.ofSender(socket);
            connection.readTimeoutMs(Math.min(Patience.ofMs(TIMEOUT_MS), LONGEST_TIMEOUT_MS));
            Handshake.introduce(connection, key);
            return connection;
        };
        return open(receiver, "receiver", greeting, "start one there with lagbench serve.", from, shutdown);
    }

    /**
     * Connects to a sender that waits for its receiver, and performs the receiver's part of the handshake. An
     * interruption of this program ends the wait.
     *
     * @throws LagbenchException if no sender answers, or it does not have the key
     */
    public static ControlConnection openToSender(
            Endpoint sender, @Nullable SharedKey key, LocalEnd from, ShutdownCoordinator shutdown)
            throws LagbenchException {
        Greeting greeting = socket -> {
            ControlConnection connection = ControlConnection.ofReceiver(socket);
            connection.readTimeoutMs(Patience.ofMs(NEW_PROCESS_TIMEOUT_MS));
            Handshake.authenticate(connection, Access.of(key, Grant.DEFAULT));
            return connection;
        };
        return open(sender, "sender", greeting, "does a firewall block that port?", from, shutdown);
    }

    private static ControlConnection open(
            Endpoint peer, String role, Greeting greeting, String advice, LocalEnd from, ShutdownCoordinator shutdown)
            throws LagbenchException {
        List<InetSocketAddress> addresses = peer.resolveAll();
        List<String> failures = new ArrayList<>();
        IOException last = null;
        for (InetSocketAddress address : addresses) {
            Socket socket = new Socket();
            try {
                return open(socket, address, peer, role, greeting, from, shutdown);
            } catch (ConnectFailure e) {
                last = e;
                boolean isWritten = addresses.size() == 1
                        && (peer.host().indexOf(':') >= 0
                                || Endpoint.format(address.getAddress()).equals(peer.host()));
                failures.add((isWritten ? "" : Endpoint.format(address.getAddress()) + ": ") + e.getMessage());
            }
        }
        throw ExitCode.PEER.failure(
                "No " + role + " answers at " + peer + " (" + String.join("; ", failures) + "); "
                        + (last == null ? advice : advice(last, addresses, advice)),
                last);
    }

    /** Returns what to do about a failure to connect. */
    private static String advice(IOException failure, List<InetSocketAddress> addresses, String otherwise) {
        String reason = IoErrors.reason(failure);
        if (reason.startsWith("Invalid argument")
                && addresses.stream().anyMatch(each -> each.getAddress().isLinkLocalAddress())) {
            return "a link-local address needs the network interface as its zone: fe80::1%eth0.";
        }
        if (reason.startsWith("Network is unreachable")) {
            return addresses.stream().allMatch(each -> each.getAddress().isLoopbackAddress())
                    ? "the interface lo is down: ip link set lo up."
                    : "this host has no route there: check its network, and the address.";
        }
        return otherwise;
    }

    private static ControlConnection open(
            Socket socket,
            InetSocketAddress address,
            Endpoint peer,
            String role,
            Greeting greeting,
            LocalEnd from,
            ShutdownCoordinator shutdown)
            throws ConnectFailure, LagbenchException {
        Runnable stop = () -> interrupt(socket);
        Exception failure;
        shutdown.onInterrupt(stop);
        try {
            connect(socket, address, from);
            ControlConnection connection = greeting.exchange(socket);
            connection.readTimeoutMs(0);
            return connection;
        } catch (RefusedException e) {
            failure = e.asFailure();
        } catch (LagbenchException | ConnectFailure e) {
            failure = e;
        } catch (IOException e) {
            failure = ExitCode.PEER.failure(
                    "The " + role + " at " + peer
                            + (e instanceof ProtocolException
                                    ? " sent " + IoErrors.reason(e) + "."
                                    : " accepts connections but does not answer (" + IoErrors.reason(e)
                                            + "); it may be busy with others, or it is not a lagbench " + role
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
        if (shutdown.isInterrupted()) {
            throw ExitCode.INTERRUPTED.failure("Interrupted", failure);
        }
        if (failure instanceof ConnectFailure unconnected) {
            throw unconnected;
        }
        throw (LagbenchException) failure;
    }

    private static void connect(Socket socket, InetSocketAddress address, LocalEnd from)
            throws ConnectFailure, LagbenchException {
        InetAddress local = from.addressTo(address.getAddress());
        try {
            if (local != null) {
                socket.bind(new InetSocketAddress(local, 0));
            }
            socket.connect(address, TIMEOUT_MS); // the peer's kernel accepts it, however busy its programs are
        } catch (IOException e) {
            throw new ConnectFailure(e);
        }
    }

    /** A failure to connect to an address; another one of the host may answer. */
    private static final class ConnectFailure extends IOException {
        private static final long serialVersionUID = 1;

        ConnectFailure(IOException cause) {
            super(IoErrors.reason(cause), cause);
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
