package org.lagbench.sender;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.DatagramChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.control.Access;
import org.lagbench.control.Access.Grant;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.Handshake;
import org.lagbench.control.StartGate;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.KernelIdentity;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.transport.PacketTransport;

/** A fake receiver that handles a run as a test requires. */
final class FakeReceiver implements AutoCloseable {
    static final int PACKETS = 200;

    private final ServerSocket control = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private String bootId = KernelIdentity.bootId();
    private volatile long clockAheadNs;
    private volatile long fakedNs;
    private boolean clockIsSetAfterAsking;
    private int timesAsked;
    private final AtomicInteger loadsAsked = new AtomicInteger();

    FakeReceiver() throws IOException {}

    Endpoint endpoint() {
        return Endpoint.of((InetSocketAddress) control.getLocalSocketAddress());
    }

    /** Pretends to have another clock, which is ahead by this time. */
    void isOnAnotherKernel(long aheadNs) {
        bootId = "another kernel";
        clockAheadNs = aheadNs;
    }

    /**
     * Pretends to be a clone of this VM: with its boot identifier, but with another clock.
     *
     * @param fakedNs how much more that clock is ahead of the monotonic one than this machine's
     */
    void isCopy(long aheadNs, long fakedNs) {
        clockAheadNs = aheadNs;
        this.fakedNs = fakedNs;
    }

    /** Sets its clock right after the first clock request. */
    void setsItsClockAfterAsking() {
        clockIsSetAfterAsking = true;
    }

    /** Returns how often a sender has asked for the load. */
    int loadsAsked() {
        return loadsAsked.get();
    }

    /** Executes a run with this receiver and returns its failure. */
    LagbenchException broken(RunSpec spec, Path directory) {
        return broken(request(spec, Duration.ofMillis(1), Duration.ZERO, false), directory);
    }

    LagbenchException broken(RunRequest request, Path directory) {
        return broken(
                request,
                directory,
                new ReceiverLink.Connecting(endpoint(), null, LocalEnd.ANY, false, new ShutdownCoordinator()));
    }

    /** Executes a probe with this receiver and returns its failure. */
    LagbenchException brokenProbe(RunSpec spec, Path directory) {
        return broken(
                request(spec, Duration.ofMillis(1), Duration.ZERO, false),
                directory,
                new ReceiverLink.Connecting(endpoint(), null, LocalEnd.ANY, true, new ShutdownCoordinator()));
    }

    /** Returns a request without a limit of the load. */
    static RunRequest request(RunSpec spec, Duration maximumError, Duration waitFor, boolean acceptsUnsynchronized) {
        return new RunRequest(spec, maximumError, 1_000_000, waitFor, acceptsUnsynchronized);
    }

    /** Executes a run that this receiver has requested, and returns its failure. */
    LagbenchException brokenOnRequest(RunSpec spec, Path directory) {
        ReceiverLink link =
                new ReceiverLink.Connecting(endpoint(), null, LocalEnd.ANY, false, new ShutdownCoordinator());
        return broken(request(spec, Duration.ofMillis(1), Duration.ZERO, false), directory, new ReceiverLink() {
            @Override
            public ControlConnection open() throws LagbenchException {
                return link.open();
            }

            @Override
            public boolean isRequested() {
                return true;
            }
        });
    }

    private LagbenchException broken(RunRequest request, Path directory, ReceiverLink link) {
        return catchThrowableOfType(LagbenchException.class, () -> new SenderRun(
                        new SenderConfig(
                                request,
                                link,
                                null,
                                LocalEnd.ANY,
                                directory,
                                new ChronyClient(new InetSocketAddress(
                                        InetAddress.getLoopbackAddress(), ChronyClient.DEFAULT_PORT)),
                                StartGate.OPEN,
                                false,
                                event -> {}),
                        new ShutdownCoordinator())
                .execute(made -> {}));
    }

    static RunSpec spec(String transport, Pace pace, Duration stallTimeout) {
        return new RunSpec(
                "run",
                new Point(
                        transport,
                        24,
                        PACKETS,
                        50,
                        pace,
                        TrafficSpec.ONE_WAY,
                        Settings.of(transport(transport).settings(), Map.of()),
                        new EngineSpec("java", JvmOptions.NONE),
                        Set.of(),
                        RunConditions.of(Duration.ofMillis(100), stallTimeout)),
                1,
                null);
    }

    static PacketTransport transport(String name) {
        try {
            return PacketTransport.of(Transports.load().named(name));
        } catch (LagbenchException e) {
            throw new AssertionError(e);
        }
    }

    /** Handles one run over UDP after its offer. */
    CompletableFuture<Long> serve(Service service) throws IOException {
        DatagramChannel packets =
                DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        int port = packets.socket().getLocalPort();
        return serve(Map.of("port", Integer.toString(port)), (connection, none) -> {
            try (packets) {
                return service.serve(connection, packets);
            }
        });
    }

    /** Handles one run over any transport; packets go to the announced address. */
    CompletableFuture<Long> serve(Map<String, String> announced, Service service) {
        return CompletableFuture.supplyAsync(() -> {
            try (ControlConnection connection = ControlConnection.ofReceiver(control.accept());
                    DatagramChannel none = DatagramChannel.open()) {
                Handshake.authenticate(connection, Access.of(null, Grant.DEFAULT));
                await(connection, ControlMessage.Offer.class);
                connection.write(new ControlMessage.Accepted(announced, "/nowhere/receiver.npy"));
                return service.serve(connection, none);
            } catch (IOException | LagbenchException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Accepts one sender; returns 1 if it made an offer, 0 if it closed before. */
    CompletableFuture<Long> serveUntilClosed() {
        return CompletableFuture.supplyAsync(() -> {
            try (ControlConnection connection = ControlConnection.ofReceiver(control.accept())) {
                Handshake.authenticate(connection, Access.of(null, Grant.DEFAULT));
                await(connection, ControlMessage.Offer.class);
                return 1L;
            } catch (EOFException e) {
                return 0L;
            } catch (IOException | LagbenchException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Accepts one sender, refuses its offer, and returns the offer. */
    CompletableFuture<ControlMessage.Offer> refuse(ControlMessage.Refused refusal) {
        return refuse(refusal, Duration.ZERO);
    }

    /** Accepts one sender, refuses its offer after a time, and returns the offer. */
    CompletableFuture<ControlMessage.Offer> refuse(ControlMessage.Refused refusal, Duration after) {
        return CompletableFuture.supplyAsync(() -> {
            try (ControlConnection connection = ControlConnection.ofReceiver(control.accept())) {
                Handshake.authenticate(connection, Access.of(null, Grant.DEFAULT));
                ControlMessage.Offer offer = await(connection, ControlMessage.Offer.class);
                LockSupport.parkNanos(after.toNanos());
                connection.write(refusal);
                return offer;
            } catch (IOException | LagbenchException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** Handles the control messages until the sender sends. */
    void begin(ControlConnection connection) throws IOException {
        await(connection, ControlMessage.Connected.class);
        await(connection, ControlMessage.Begin.class);
        connection.write(new ControlMessage.Begun());
    }

    /** Waits for a message, and answers clock requests meanwhile. */
    <T extends ControlMessage> T await(ControlConnection connection, Class<T> type) throws IOException {
        while (true) {
            ControlMessage message = connection.read();
            if (message instanceof ControlMessage.Ask ask && ask.question() == ControlMessage.Question.CLOCK) {
                if (clockIsSetAfterAsking && ++timesAsked == 2) {
                    clockAheadNs = 0;
                }
                connection.write(new ControlMessage.ClockIs(new ClockState(
                        RealtimeClock.nowNs() + clockAheadNs,
                        bootId,
                        ClockState.Source.NO_DAEMON,
                        null,
                        null,
                        "Nothing keeps the receiver's clock.")));
            } else if (message instanceof ControlMessage.Ask ask && ask.question() == ControlMessage.Question.LOAD) {
                loadsAsked.incrementAndGet();
                connection.write(new ControlMessage.LoadIs(HostLoad.read()));
            } else if (message instanceof ControlMessage.Ask) {
                ClockReadings readings = ClockReadings.take();
                connection.write(new ControlMessage.ReadingsAre(new ClockReadings(
                        readings.realtimeNs() + fakedNs, readings.monotonicNs(), readings.bracketNs())));
            } else if (message instanceof ControlMessage.OpenExchange) {
                connection.write(new ControlMessage.ExchangeOpened(-1));
            } else if (message instanceof ControlMessage.Ping ping) {
                long nowNs = RealtimeClock.nowNs() + clockAheadNs;
                connection.write(new ControlMessage.Pong(ping.sentNs(), nowNs, nowNs));
            } else if (!(message instanceof ControlMessage.Alive || message instanceof ControlMessage.Probe)) {
                return ControlConnection.expect(message, type);
            }
        }
    }

    /** Keeps the sender from noticing that nothing is received, until it closes the connection. */
    void readUntilClosed(ControlConnection connection) throws IOException {
        ControlMessage message = connection.readUnlessClosed();
        while (message != null) {
            connection.write(new ControlMessage.Alive());
            message = connection.readUnlessClosed();
        }
    }

    /** Handles an accepted run. */
    interface Service {
        long serve(ControlConnection connection, DatagramChannel packets) throws IOException;
    }

    @Override
    public void close() throws IOException {
        control.close();
    }
}
