package org.lagbench.receiver;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.Access;
import org.lagbench.control.Access.Grant;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.Handshake;
import org.lagbench.control.RefusedException;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for control connections and serves one run at a time, or one in each direction with the same host; instead of
 * a run, its streams that are sent at the same time. The probes of monitors wait for their turn, those of up to
 * {@value Connections#MAXIMUM_KNOWN} monitors. Other connections (another program, random bytes, a sender without the
 * key) are refused or closed within seconds, each on its own thread, and do not disturb the run.
 */
final class ReceiverServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverServer.class);
    private static final int HANDSHAKE_TIMEOUT_MS = 10_000;
    private static final int OFFER_TIMEOUT_MS = 30_000;

    /**
     * The minimum time for a wrong guess of the key. One address can make {@link Connections#MAXIMUM_STRANGERS} guesses
     * at a time.
     */
    private static final long GUESS_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    private final ServerSocket socket;
    private final Access access;
    private final LocalEnd local;
    private final ChronyClient chrony;
    private final SenderPrograms senders;
    private final Connections connections = new Connections(System::nanoTime);
    private final Connections.StrangerLog strangerLog =
            new Connections.StrangerLog(line -> LOG.warn("{}", line), System::nanoTime);

    private final BackgroundThread accepting = new BackgroundThread("control-accept", this::acceptAll);
    private final ServedRuns runs;

    /** The connections whose handshake is complete; without a key anyone completes it. */
    private final Set<ControlConnection> authenticated = ConcurrentHashMap.newKeySet();

    /**
     * Starts to listen.
     *
     * @param access the keys of the senders; none is valid only for a loopback address
     * @param local this host's end of the packets; without an address it is that of each control connection
     * @param directory parent of the directories of the runs
     * @param chrony the daemon that synchronizes this host's clock
     * @param senders starts the senders that other hosts request
     */
    ReceiverServer(
            Endpoint endpoint,
            Access access,
            LocalEnd local,
            Path directory,
            ChronyClient chrony,
            SenderPrograms senders)
            throws LagbenchException {
        this.socket = listen(endpoint, access);
        this.access = access;
        this.local = local;
        this.chrony = chrony;
        this.senders = senders;
        RunTurns turns = new RunTurns(accepting::isClosing);
        this.runs = new ServedRuns(local, directory, senders, turns, connections, this::close);
    }

    private static ServerSocket listen(Endpoint endpoint, Access access) throws LagbenchException {
        InetSocketAddress address = resolve(endpoint);
        if (!access.needsKey() && !address.getAddress().isLoopbackAddress()) {
            throw ExitCode.KEY.failure(
                    "Other hosts can connect to " + endpoint + ", so a key is required: lagbench serve --new-key makes"
                            + " one, --key-file names one; or listen on 127.0.0.1.");
        }
        try {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(address);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            return socket;
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure(
                    "The receiver cannot listen on " + endpoint + " (" + IoErrors.reason(e) + "); "
                            + advice(address.getAddress()),
                    e);
        }
    }

    private static InetSocketAddress resolve(Endpoint endpoint) throws LagbenchException {
        try {
            return endpoint.resolve();
        } catch (LagbenchException e) {
            throw ExitCode.USAGE.failure("--listen: " + e.sentence(), e);
        }
    }

    private static String advice(InetAddress address) {
        try (ServerSocket other = new ServerSocket(0, 1, address)) {
            return "another program may use it. Select another port with --listen, such as " + other.getLocalPort()
                    + ".";
        } catch (IOException e) {
            return "use an address of this host with --listen.";
        }
    }

    /** Returns the address that it listens on. */
    Endpoint endpoint() {
        return Endpoint.of((InetSocketAddress) socket.getLocalSocketAddress());
    }

    /**
     * Serves until closed, or until the given number of runs have ended.
     *
     * @return the exit code of the first run that was refused or broken; {@link ExitCode#OK} if there was none
     */
    ExitCode serve(long count) {
        runs.limit(count);
        accepting.start();
        accepting.isClosedWithin(Long.MAX_VALUE);
        try {
            // Before the process ends, the current run closes its capture, and every connection sends its last message.
            connections.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return runs.outcome();
    }

    /** Returns why the first failed run failed; null if none failed, or the reason is unknown. */
    @Nullable
    LagbenchException failure() {
        return runs.failure();
    }

    private void acceptAll() {
        while (!accepting.isClosing()) {
            try {
                accept(socket.accept());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException e) {
                if (!accepting.isClosing()) {
                    strangerLog.write("a connection cannot be accepted: " + IoErrors.reason(e)
                            + ". The limit of open files is that of ulimit -n, or LimitNOFILE in the unit.");
                    accepting.isClosedWithin(RETRY_INTERVAL_NS); // the reason, as too many open files, may persist
                }
            }
        }
    }

    private void accept(Socket accepted) throws IOException, InterruptedException {
        ControlConnection connection;
        try {
            connection = ControlConnection.ofReceiver(accepted);
        } catch (IOException e) {
            accepted.close();
            LOG.debug("a connection has ended at once: {}", e.toString());
            return;
        }
        ControlConnection oldest = connections.add(connection, accepted.getInetAddress());
        if (oldest != null) {
            strangerLog.write(oldest.peer() + " was closed to make room for newer connections");
            oldest.close();
        }
        new Thread(() -> serve(connection), "control-" + accepted.getPort()).start();
    }

    private void serve(ControlConnection connection) {
        try (connection) {
            if (!accepting.isClosing()) {
                handle(connection);
            }
        } catch (LagbenchException e) {
            log(connection, connection.peer() + ": " + e.sentence());
        } catch (RefusedException e) {
            log(connection, connection.peer() + " ended the run: " + e.getMessage());
        } catch (SocketTimeoutException e) {
            log(connection, connection.peer() + " sent nothing for too long; closed the connection");
        } catch (EOFException e) {
            log(connection, connection.peer() + " has closed the connection");
        } catch (IOException e) {
            log(connection, "the connection to " + connection.peer() + " failed and is closed: " + IoErrors.reason(e));
        } catch (RuntimeException e) {
            log(connection, "an error in lagbench ends the connection to " + connection.peer() + ": " + e);
        } finally {
            authenticated.remove(connection);
            connections.ended(connection);
        }
    }

    private void log(ControlConnection connection, String line) {
        String printable = UntrustedText.line(line);
        if (connections.isKnown(connection)) {
            LOG.warn("{}", printable);
        } else {
            strangerLog.write(printable);
        }
    }

    private void handle(ControlConnection connection) throws IOException, LagbenchException {
        connection.readTimeoutMs(Patience.ofMs(HANDSHAKE_TIMEOUT_MS));
        Access.Permission permission;
        try {
            permission = Handshake.authenticate(connection, access);
        } catch (LagbenchException e) {
            if (e.exitCode() == ExitCode.KEY) {
                connection.ignoreUntil(System.nanoTime() + GUESS_NS); // closed later, which limits guesses
            }
            throw e;
        }
        connection.readTimeoutMs(Patience.ofMs(OFFER_TIMEOUT_MS));
        try (ControlSession control = new ControlSession(connection, local, chrony)) {
            if (!runs.keepsStamps()) {
                control.keepNoStamps();
            }
            if (!control.awaitFirst()) {
                return; // a stranger can relay another host's proof, but cannot write a valid message
            }
            authenticated.add(connection);
            if (access.needsKey() && !connections.admit(connection)) {
                throw Handshake.refuse(
                        connection, Refusal.BUSY, "The receiver is busy with many other senders; try again later.");
            }
            ControlMessage request = control.awaitUnlessClosed(ControlMessage.class);
            if (request instanceof ControlMessage.OpenSender sender) {
                require(Grant.SEND_TO_ME, permission, connection);
                runs.send(control, sender, permission.key());
            } else if (request instanceof ControlMessage.MakeRun run) {
                require(Grant.SEND_TO_OTHERS, permission, connection);
                runs.sendToOther(control, run, AgentRuns.host(connection, run, access.sites()));
            } else if (request != null) {
                require(Grant.RUN, permission, connection);
                runs.receive(control, ControlConnection.expect(request, ControlMessage.Offer.class));
            }
            // Otherwise the sender asked only about this host.
        } catch (ProtocolException e) {
            throw Handshake.refuse(connection, Refusal.RUN, "The receiver got " + IoErrors.reason(e) + ".");
        }
    }

    private static void require(Grant grant, Access.Permission permission, ControlConnection connection)
            throws IOException, LagbenchException {
        if (!permission.grants().contains(grant)) {
            throw Handshake.refuse(
                    connection,
                    Refusal.RUN,
                    "The receiver does not allow " + grant.text()
                            + " with this key; on its host, add it to the names in" + " lagbench serve --allow.");
        }
    }

    /** Stops keeping stamps on this host, for runs that end from now on. */
    void keepNoStamps() {
        runs.keepNoStamps();
    }

    /**
     * Notifies each sender, then closes. May be called by any thread.
     *
     * @param why has the beginning of the sender's error message: "Interrupted"
     */
    void interrupt(ControlMessage.Refused why) {
        accepting.end();
        if (why.reason() == Refusal.INTERRUPTED) {
            senders.interrupt();
        }
        for (ControlConnection connection : authenticated) {
            try {
                connection.refuseAndClose(why);
            } catch (IOException e) {
                LOG.debug("{} cannot be notified: {}", connection.peer(), e.toString());
            }
        }
        close();
    }

    /** Stops listening and breaks the current run, which keeps its stamps. Idempotent; may be called by any thread. */
    @Override
    public void close() {
        accepting.end();
        senders.end();
        try {
            socket.close();
            for (ControlConnection connection : connections.open()) {
                connection.close();
            }
        } catch (IOException e) {
            LOG.warn("closing: {}", e.toString());
        }
    }
}
