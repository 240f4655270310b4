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
 * Listens for control connections and serves one run at a time. Whatever else connects (another program, random bytes,
 * a sender without the key) is told no or closed on, in its own thread and within seconds, and disturbs no run.
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
    private final Semaphore bench = new Semaphore(1);
    private final Set<ControlConnection> open = ConcurrentHashMap.newKeySet();
    private final Set<ControlConnection> introduced = ConcurrentHashMap.newKeySet();
    private final AtomicLong runsLeft = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);

    /** How the first run ended that failed; whoever holds the bench writes it. */
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
     * Begins to listen.
     *
     * @param key what senders must have too, or null: then only a loopback address is accepted
     * @param dataHost the address that packets come to; null for that of each control connection
     * @param directory where captures go, a directory a run
     * @param chrony the time daemon that keeps this host's clock
     */
    static ReceiverServer listen(
            Endpoint endpoint, @Nullable SharedKey key, @Nullable String dataHost, Path directory, ChronyClient chrony)
            throws LagbenchException {
        InetSocketAddress address = endpoint.resolve();
        if (key == null && !address.getAddress().isLoopbackAddress()) {
            throw new LagbenchException(
                    ExitCode.KEY,
                    "Listening on " + endpoint + " lets other hosts in, so a key is needed: give --key-file, here and"
                            + " to the sender, or listen on 127.0.0.1.");
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
            return "is another one running there? Give another port with --listen, such as " + other.getLocalPort()
                    + ".";
        } catch (IOException e) {
            return "give one of this host's addresses with --listen.";
        }
    }

    /** Where it listens. */
    Endpoint endpoint() {
        return Endpoint.of((InetSocketAddress) socket.getLocalSocketAddress());
    }

    /**
     * Serves until closed, or until so many runs have ended.
     *
     * @return how the first run ended that was refused or broke off; {@link ExitCode#OK} if none did
     */
    ExitCode serve(long runs) {
        runsLeft.set(runs);
        new Thread(this::acceptAll, "control-accept").start();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // The run in hand has to close its capture, and every conversation to tell its end, before the process may end.
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
                    LOG.warn("a connection could not be accepted: {}", e.toString());
                    awaitEndOrRetry();
                }
            }
        }
    }

    /** What kept a connection from being accepted, such as too many open files, may last. */
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
                converse(connection);
            } catch (LagbenchException e) {
                LOG.warn("{}: {}", connection.peer(), e.sentence());
            } catch (ControlConnection.RefusedException e) {
                LOG.warn("{} broke off: {}", connection.peer(), e.getMessage());
            } catch (SocketTimeoutException e) {
                LOG.warn("{} said nothing for too long; closed on it", connection.peer());
            } catch (EOFException e) {
                LOG.info("{} has closed", connection.peer());
            } catch (IOException e) {
                LOG.warn("{}: closed on it, for {}", connection.peer(), e.getMessage());
            } finally {
                open.remove(connection);
                introduced.remove(connection);
            }
        } catch (IOException e) {
            LOG.warn("a control connection failed: {}", e.toString());
        } finally {
            connections.release();
        }
    }

    private void converse(ControlConnection connection) throws IOException, LagbenchException {
        connection.readTimeoutMs(HANDSHAKE_TIMEOUT_MS);
        Handshake.receive(connection, key);
        introduced.add(connection);
        connection.readTimeoutMs(OFFER_TIMEOUT_MS);
        ControlSession conversation = new ControlSession(connection, dataHost, chrony);
        ControlMessage.Offer offer = conversation.awaitUnlessClosed(ControlMessage.Offer.class);
        if (offer == null) {
            return; // it wanted to see the clocks only
        }
        if (!bench.tryAcquire()) {
            throw Handshake.refuse(
                    connection, ExitCode.PEER, "The receiver is busy with another run; try again later.");
        }
        ExitCode ended = ExitCode.BROKEN;
        try {
            receive(conversation, offer);
            ended = ExitCode.OK;
        } catch (LagbenchException e) {
            ended = e.exitCode();
            throw e;
        } finally {
            outcome = outcome == ExitCode.OK ? ended : outcome;
            bench.release();
            if (runsLeft.decrementAndGet() == 0) {
                close();
            }
        }
    }

    private void receive(ControlSession conversation, ControlMessage.Offer offer)
            throws IOException, LagbenchException {
        try (ReceiverRun run = ReceiverRun.open(conversation, offer, transports, engines, directory)) {
            run.receive();
        }
    }

    private boolean isClosed() {
        return ended.getCount() == 0;
    }

    /**
     * Closes, after telling each sender that it is no failure. From any thread.
     *
     * @param who the beginning of the sentence that the sender tells: "Interrupted"
     */
    void interrupt(String who) {
        ended.countDown();
        for (ControlConnection connection : introduced) {
            try {
                connection.refuseAndClose(new ControlMessage.Refused(who, ExitCode.INTERRUPTED.name()));
            } catch (IOException e) {
                LOG.debug("{} could not be told: {}", connection.peer(), e.toString());
            }
        }
        close();
    }

    /** Stops listening and breaks off the run in hand, whose stamps are kept. From any thread, once or more. */
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
