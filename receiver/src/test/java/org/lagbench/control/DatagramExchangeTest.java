package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.key.SharedKey;

/** Exchanges datagrams with the stamps of a real kernel. Both sides have one clock: the true offset is 0. */
@Tag("one-java")
class DatagramExchangeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @AutoClose
    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());

    @AutoClose
    private final ControlConnection sender =
            ControlConnection.ofSender(new Socket(server.getInetAddress(), server.getLocalPort()));

    @AutoClose
    private final ControlConnection receiver = ControlConnection.ofReceiver(server.accept());

    @AutoClose
    private final ControlReader reader = new ControlReader(sender);

    DatagramExchangeTest() throws IOException {}

    private CompletableFuture<DatagramExchange.Responder> respond() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return Objects.requireNonNull(
                        DatagramExchange.Responder.open(receiver, receiver.read(ControlMessage.OpenExchange.class)));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private DatagramExchange open(Duration timeout) throws Exception {
        return Objects.requireNonNull(DatagramExchange.open(sender, reader, PATIENCE, timeout));
    }

    /**
     * Performs exchanges until one has all stamps: the kernel enables stamps with a delay after the first socket
     * requests them.
     */
    private static TwoWayExchange awaitStamps(DatagramExchange exchanges) {
        return await().atMost(PATIENCE)
                .until(() -> Optional.ofNullable(exchanges.exchange()), Optional::isPresent)
                .orElseThrow();
    }

    @Test
    void boundsOffsetByStampsOfBothKernels() throws Exception {
        CompletableFuture<DatagramExchange.Responder> responding = respond();
        try (DatagramExchange exchanges = open(PATIENCE);
                DatagramExchange.Responder responder = responding.get()) {
            assertThat(responder).isNotNull();
            long beforeNs = awaitStamps(exchanges).returnedNs();
            for (int i = 0; i < 20; i++) {
                TwoWayExchange exchange = exchanges.exchange();
                assertThat(exchange).isNotNull();
                // one clock stamped everything, in this order
                assertThat(new long[] {
                            beforeNs,
                            exchange.sentNs(),
                            exchange.receivedNs(),
                            exchange.repliedNs(),
                            exchange.returnedNs()
                        })
                        .isSorted();
                beforeNs = exchange.returnedNs();
            }
        }
    }

    @Test
    void ignoresDatagramsWithAnotherKey() throws Exception {
        CompletableFuture<DatagramExchange.Responder> responding = respond();
        try (DatagramExchange exchanges = open(PATIENCE);
                DatagramExchange.Responder responder = responding.get();
                DatagramChannel foreign = DatagramChannel.open()) {
            foreign.send(
                    ByteBuffer.allocate(DatagramExchange.Datagram.BYTES),
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), responder.port()));
            awaitStamps(exchanges);
        }
        DatagramExchange.Datagram made = new DatagramExchange.Datagram(new SharedKey(new byte[16]));
        DatagramExchange.Datagram read = new DatagramExchange.Datagram(new SharedKey(new byte[] {1}));
        DatagramExchange.Datagram same = new DatagramExchange.Datagram(new SharedKey(new byte[16]));
        read.buffer().put(made.make(DatagramExchange.Datagram.STAMPS, 7, 8, 9)).flip();
        same.buffer().put(made.make(DatagramExchange.Datagram.STAMPS, 7, 8, 9)).flip();
        assertThat(read.is(DatagramExchange.Datagram.STAMPS)).isFalse();
        assertThat(same.is(DatagramExchange.Datagram.REPLY)).isFalse();
        assertThat(same.is(DatagramExchange.Datagram.STAMPS)).isTrue();
        assertThat(new long[] {same.number(), same.receivedNs(), same.repliedNs()})
                .containsExactly(7, 8, 9);
    }

    /** Both sides have one clock, so that the true offset is 0; the datagrams claim 10 ms. */
    @Test
    void reportsDatagramsThatContradictControlConnection() throws Exception {
        CompletableFuture<DatagramExchange.Responder> responding = respond();
        try (DatagramExchange exchanges = open(PATIENCE);
                DatagramExchange.Responder responder = responding.get()) {
            assertThat(responder).isNotNull();
            awaitStamps(exchanges); // while a socket is open, the kernel stamps those of later ones from the first on
            reportsContradiction();
        }
    }

    private void reportsContradiction() throws Exception {
        long aheadNs = 10_000_000;
        CompletableFuture<Void> receiving = CompletableFuture.runAsync(() -> {
            try (DatagramChannel socket =
                    DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
                for (ControlMessage message = receiver.readUnlessClosed();
                        message != null;
                        message = receiver.readUnlessClosed()) {
                    if (message instanceof ControlMessage.Ping ping) {
                        long nowNs = RealtimeClock.nowNs();
                        receiver.write(new ControlMessage.Pong(ping.sentNs(), nowNs, RealtimeClock.nowNs()));
                    } else if (message instanceof ControlMessage.OpenExchange open) {
                        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), open.port()));
                        receiver.write(new ControlMessage.ExchangeOpened(
                                ((InetSocketAddress) socket.getLocalAddress()).getPort()));
                        answer(socket, new DatagramExchange.Datagram(receiver.exchangeKey(open.nonce())), aheadNs);
                    } else {
                        receiver.write(new ControlMessage.ClockIs(new ClockState(
                                RealtimeClock.nowNs(), "another", ClockState.Source.NO_DAEMON, null, null, "None.")));
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        ChronyClient none = new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        try (ClockMonitor clocks = new ClockMonitor(sender, reader, none, null, PATIENCE)) {
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () -> { // slow exchanges of a busy host contradict nothing
                                clocks.sample();
                                assertThat(clocks.twoWay()).anyMatch(interval -> interval.lowerNs() > aheadNs / 2);
                                assertThat(clocks.bound().marks()).anyMatch(mark -> mark.contains(" contradict "));
                            });
        }
        sender.close();
        receiving.get();
    }

    /** Answers each datagram with stamps of a clock that is ahead, on a separate thread. */
    private static void answer(DatagramChannel socket, DatagramExchange.Datagram datagram, long aheadNs) {
        new Thread(() -> {
                    try {
                        while (true) {
                            socket.receive(datagram.buffer().clear());
                            datagram.buffer().flip();
                            long number = datagram.number();
                            long atNs = RealtimeClock.nowNs() + aheadNs;
                            socket.write(datagram.make(DatagramExchange.Datagram.REPLY, number, 0, 0));
                            socket.write(datagram.make(DatagramExchange.Datagram.STAMPS, number, atNs, atNs));
                        }
                    } catch (IOException e) {
                        return; // the test closed the socket
                    }
                })
                .start();
    }

    /** A host on the path can repeat requests without the key. */
    @Test
    void answersEachRequestOnce() throws Exception {
        CompletableFuture<DatagramExchange.Responder> responding = respond();
        String nonce = SharedKey.newText();
        DatagramExchange.Datagram datagram = new DatagramExchange.Datagram(sender.exchangeKey(nonce));
        try (DatagramChannel socket =
                DatagramChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            int port = ((InetSocketAddress) socket.getLocalAddress()).getPort();
            int there = reader.ask(
                            new ControlMessage.OpenExchange(port, nonce), ControlMessage.ExchangeOpened.class, PATIENCE)
                    .port();
            try (DatagramExchange.Responder responder = responding.get()) {
                assertThat(responder.port()).isEqualTo(there);
                for (long number : new long[] {4, 4, 3, 5}) {
                    socket.send(
                            datagram.make(DatagramExchange.Datagram.REQUEST, number, 0, 0),
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), there));
                }
                List<Long> answered = new ArrayList<>();
                while (!answered.contains(5L)) {
                    socket.receive(datagram.buffer().clear());
                    datagram.buffer().flip();
                    if (datagram.is(DatagramExchange.Datagram.REPLY)) {
                        answered.add(datagram.number());
                    }
                }
                assertThat(answered).containsExactly(4L, 5L);
            }
        }
    }

    @Test
    void reportsExchangesAsBlockedWithoutReplies() throws Exception {
        CompletableFuture<DatagramExchange.Responder> responding = respond();
        try (DatagramExchange exchanges = open(Duration.ofMillis(20))) {
            responding.get().close();
            for (int i = 0; i < 3; i++) {
                assertThat(exchanges.exchange()).isNull();
            }
            assertThat(exchanges.isBlocked()).isTrue();
        }
    }
}
