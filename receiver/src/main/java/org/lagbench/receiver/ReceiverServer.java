package org.lagbench.receiver;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.Handshake;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.transport.Transports;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for control connections and serves one run at a time. Other connections (another program, random bytes, a
 * sender without the key) are refused or closed within seconds, each on its own thread, and do not disturb the run.
 */
final class ReceiverServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverServer.class);
    private static final int MAXIMUM_CONNECTIONS = 32;
    private static final int HANDSHAKE_TIMEOUT_MS = 10_000;
    private static final int OFFER_TIMEOUT_MS = 30_000;
    private static final long RETRY_INTERVAL_S = 1;

    private final ServerSocket socket;
    private final @Nullable SharedKey key;
    private final @Nullable String dataHost;
    private final Path directory;
    private final ChronyClient chrony;
    private final Transports transports = Transports.load();
    private final Engines engines = Engines.load();
    private final Semaphore connections = new Semaphore(MAXIMUM_CONNECTIONS);
    private final Semaphore runPermit = new Semaphore(1);
    private final Set<ControlConnection> open = ConcurrentHashMap.newKeySet();
    private final Set<ControlConnection> authenticated = ConcurrentHashMap.newKeySet();
    private final AtomicLong runsLeft = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Exit code of the first failed run; written with the run permit. */
    private volatile ExitCode outcome = ExitCode.OK;

    private ReceiverServer(
            ServerSocket socket,
            @Nullable SharedKey key,
            @Nullable String dataHost,
            Path directory,
            ChronyClient chrony) {
        this.chrony = chrony;
        this.socket = socket;
        this.key = key;
        this.dataHost = dataHost;
        this.directory = directory;
    }

    /**
     * Starts to listen.
     *
     * @param key the shared key of the senders; null is valid only for a loopback address
     * @param dataHost this host's address for packets; null for that of each control connection
     * @param directory parent of the directories of the runs
     * @param chrony the daemon that synchronizes this host's clock
     */
    static ReceiverServer listen(
            Endpoint endpoint, @Nullable SharedKey key, @Nullable String dataHost, Path directory, ChronyClient chrony)
            throws LagbenchException {
        InetSocketAddress address = endpoint.resolve();
        if (key == null && !address.getAddress().isLoopbackAddress()) {
            throw new LagbenchException(
                    ExitCode.KEY,
                    "Other hosts can connect to " + endpoint + ", so a key is required: use --key-file, here and for"
                            + " the sender, or listen on 127.0.0.1.");
        }
        try {
            ServerSocket socket = new ServerSocket();
            try {
                socket.bind(address);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            return new ReceiverServer(socket, key, dataHost, directory, chrony);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The receiver cannot listen on " + endpoint + " (" + e.getMessage() + "); "
                            + advice(address.getAddress()),
                    e);
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
    ExitCode serve(long runs) {
        runsLeft.set(runs);
        new Thread(this::acceptAll, "control-accept").start();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // Before the process ends, the current run closes its capture, and every connection sends its last message.
        connections.acquireUninterruptibly(MAXIMUM_CONNECTIONS);
        connections.release(MAXIMUM_CONNECTIONS);
        return outcome;
    }

    private void acceptAll() {
        while (!isClosed()) {
            try {
                Socket accepted = socket.accept();
                if (connections.tryAcquire()) {
                    new Thread(() -> serve(accepted), "control-" + accepted.getPort()).start();
                } else {
                    LOG.warn("too many connections; closed the one from {}", accepted.getRemoteSocketAddress());
                    accepted.close();
                }
            } catch (IOException e) {
                if (!isClosed()) {
                    LOG.warn("a connection cannot be accepted: {}", e.toString());
                    awaitEndOrRetry(); // the reason, such as too many open files, may persist
                }
            }
        }
    }

    private void awaitEndOrRetry() {
        try {
            ended.await(RETRY_INTERVAL_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket accepted) {
        try (ControlConnection connection = ControlConnection.ofReceiver(accepted)) {
            open.add(connection);
            if (isClosed()) {
                return;
            }
            try {
                handle(connection);
            } catch (LagbenchException e) {
                LOG.warn("{}: {}", connection.peer(), e.sentence());
            } catch (ControlConnection.RefusedException e) {
                LOG.warn("{} ended the run: {}", connection.peer(), e.getMessage());
            } catch (SocketTimeoutException e) {
                LOG.warn("{} sent nothing for too long; closed the connection", connection.peer());
            } catch (EOFException e) {
                LOG.info("{} has closed the connection", connection.peer());
            } catch (IOException e) {
                LOG.warn("{}: closed the connection: {}", connection.peer(), e.getMessage());
            } finally {
                open.remove(connection);
                authenticated.remove(connection);
            }
        } catch (IOException e) {
            LOG.warn("a control connection failed: {}", e.toString());
        } finally {
            connections.release();
        }
    }

    private void handle(ControlConnection connection) throws IOException, LagbenchException {
        connection.readTimeoutMs(HANDSHAKE_TIMEOUT_MS);
        Handshake.receive(connection, key);
        authenticated.add(connection);
        connection.readTimeoutMs(OFFER_TIMEOUT_MS);
        ControlSession control = new ControlSession(connection, dataHost, chrony);
        ControlMessage.Offer offer = control.awaitUnlessClosed(ControlMessage.Offer.class);
        if (offer == null) {
            return; // it requested only the clocks
        }
        if (!runPermit.tryAcquire()) {
            throw Handshake.refuse(
                    connection, ExitCode.PEER, "The receiver is busy with another run; try again later.");
        }
        ExitCode result = ExitCode.BROKEN;
        try {
            try (ReceiverRun run = ReceiverRun.open(control, offer, transports, engines, directory)) {
                run.receive();
            }
            result = ExitCode.OK;
        } catch (LagbenchException e) {
            result = e.exitCode();
            throw e;
        } finally {
            outcome = outcome == ExitCode.OK ? result : outcome;
            runPermit.release();
            if (runsLeft.decrementAndGet() == 0) {
                close();
            }
        }
    }

    private boolean isClosed() {
        return ended.getCount() == 0;
    }

    /**
     * Closes, after notifying each sender of the interruption. May be called by any thread.
     *
     * @param message beginning of the sender's error message: "Interrupted"
     */
    void interrupt(String message) {
        ended.countDown();
        for (ControlConnection connection : authenticated) {
            try {
                connection.hangUp(new ControlMessage.Refused(message, ExitCode.INTERRUPTED.name()));
            } catch (IOException e) {
                LOG.debug("{} cannot be notified: {}", connection.peer(), e.toString());
            }
        }
        close();
    }

    /** Stops listening and breaks the current run, which keeps its stamps. Idempotent; may be called by any thread. */
    @Override
    public void close() {
        ended.countDown();
        try {
            socket.close();
            for (ControlConnection connection : open) {
                connection.close();
            }
        } catch (IOException e) {
            LOG.warn("closing: {}", e.toString());
        }
    }
}
