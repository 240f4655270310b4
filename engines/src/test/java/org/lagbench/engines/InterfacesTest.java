package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;

/** Every engine of this module delivers packets over real sockets, refuses strangers, and ends cleanly. */
class InterfacesTest {
    private static final int WARM_UP = 20;
    private static final int LEAD_OUT = 10;

    /** Names of threads that a run must not leave; RMI keeps a few for the process. */
    private static final Set<String> OWN_THREADS = Set.of(
            "packets",
            "connection",
            "netty-loop",
            "aeron",
            "[sender,receiver,conductor]",
            "RMI TCP Accept",
            "RMI TCP Connection");

    @TempDir
    private Path directory;

    /** An engine with settings over a transport. */
    record Case(String engine, String transport, Map<String, String> settings) {
        Case {
            settings = Map.copyOf(settings);
        }

        boolean isDatagrams() {
            return transport.equals("udp");
        }

        /** Returns whether the sender is the first connection that begins with the run's tag. */
        boolean isStream() {
            return !isDatagrams() && !Set.of("rmi", "grpc").contains(engine);
        }

        /** Returns a case of an engine whose name may be followed by its kind of I/O. */
        static Case of(String engine, String transport) {
            String[] words = engine.split(" ", -1);
            return new Case(words[0], transport, words.length == 1 ? Map.of() : Map.of("io", words[1]));
        }

        InterfaceRun open(Path directory, int packetBytes, int packets) throws Exception {
            assumeAvailable();
            return InterfaceRun.open(directory, engine, transport, settings, packetBytes, packets, WARM_UP, LEAD_OUT);
        }

        /** Opens a run of other traffic than one-way. */
        InterfaceRun open(TrafficSpec traffic, Path directory, int packetBytes, int packets) throws Exception {
            assumeAvailable();
            return InterfaceRun.of(traffic, directory, engine, transport, settings, packetBytes, packets);
        }

        private void assumeAvailable() throws LagbenchException {
            PacketEngine found = InterfaceRun.engine(engine);
            Transport over = InterfaceRun.transport(transport);
            assumeTrue(isAvailable(found, over), "this machine has no " + this);
        }

        private boolean isAvailable(PacketEngine found, Transport over) {
            try {
                found.checkMachine(over, InterfaceRun.settings(found, over, settings));
                return true;
            } catch (LagbenchException e) {
                // virtual threads need a newer JDK, ONC RPC libtirpc, epoll and io_uring the kernel's permission
                assertThat(engine.equals("java-virtual") || engine.equals("onc-rpc") || settings.containsKey("io"))
                        .as(e.sentence())
                        .isTrue();
                assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
                return false;
            }
        }
    }

    static Stream<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (String engine : List.of("java-socket", "java-virtual", "rmi", "grpc", "onc-rpc")) {
            cases.add(new Case(engine, "tcp", Map.of()));
        }
        cases.add(new Case("aeron", "udp", Map.of()));
        cases.add(new Case("quic", "udp", Map.of()));
        for (String io : List.of("nio", "epoll", "io_uring")) {
            cases.add(new Case("netty", "tcp", Map.of("io", io)));
            cases.add(new Case("netty", "udp", Map.of("io", io)));
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void deliversEachPacketOnceWithStampsInOrder(Case engine) throws Exception {
        for (int packetBytes : new int[] {24, 992, 20_000}) {
            int packets = packetBytes == 20_000 ? 4 : 70; // as many as fit the smallest receive buffer of UDP
            long beginNs = RealtimeClock.nowNs();
            InterfaceRun ended;
            int port;
            try (InterfaceRun run = engine.open(directory, packetBytes, packets)) {
                port = run.port();
                run.connect().sender.send(-2, packets + LEAD_OUT / 5, Pace.flood());
                run.receiver.drain(10_000);
                eventually().until(() -> run.receiver.counts().leadOutReceived() == LEAD_OUT / 5);
                assertThat(run.failures).isEmpty();
                assertThat(run.receiver.counts())
                        .isEqualTo(new ReceivedCounts(packets, packets, 0, 0, 0, 0, 2, LEAD_OUT / 5, 0));
                assertThat(run.sender.metadata()).containsKeys("remoteAddress", "packetsPerCall");
                assertThat(run.receiver.metadata()).containsKeys("localAddress", "sharedStamps");
                ended = run;
            }
            checkStamps(ended, packets, beginNs);
            assertNothingRemains(engine, port);
        }
    }

    private static void checkStamps(InterfaceRun run, int packets, long beginNs) throws LagbenchException {
        long endNs = RealtimeClock.nowNs();
        try (CaptureReader sent = CaptureReader.open(run.sentFile);
                CaptureReader received = CaptureReader.open(run.receivedFile)) {
            assertThat(sent.records()).isEqualTo(packets);
            assertThat(received.records()).isEqualTo(packets);
            long beforeNs = beginNs;
            long receivedBeforeNs = beginNs;
            for (int i = 0; i < packets; i++) {
                assertThat(sent.value(i, sent.field("seq"))).isEqualTo(i);
                assertThat(received.value(i, received.field("seq"))).isEqualTo(i);
                long sentNs = sent.value(i, sent.field("sent_ns"));
                long returnedNs = sent.value(i, sent.field("returned_ns"));
                long receivedNs = received.value(i, received.field("received_ns"));
                assertThat(new long[] {beforeNs, sentNs, returnedNs, endNs}).isSorted();
                assertThat(new long[] {sentNs, receivedNs, endNs}).isSorted();
                assertThat(receivedNs).isGreaterThanOrEqualTo(receivedBeforeNs);
                beforeNs = returnedNs;
                receivedBeforeNs = receivedNs;
            }
        }
    }

    /** Strangers connect before the sender, send other bytes or nothing, and stay connected. */
    @ParameterizedTest
    @MethodSource("cases")
    void keepsForeignBytesOutOfTheCapture(Case engine) throws Exception {
        try (InterfaceRun run = engine.open(directory, 100, 50);
                Socket silent = new Socket();
                Socket talking = new Socket();
                DatagramSocket datagrams = new DatagramSocket()) {
            run.receiver.start();
            if (engine.isDatagrams()) {
                for (int bytes : new int[] {0, 99, 100, 101, 2_000}) {
                    datagrams.send(
                            new DatagramPacket(new byte[bytes], bytes, InetAddress.getLoopbackAddress(), run.port()));
                }
            } else {
                silent.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), run.port()));
                talking.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), run.port()));
                talking.getOutputStream().write(new byte[500]);
            }
            run.sender.connect(run.receiver.announce());
            run.sender.send(0, 50, Pace.flood());
            run.receiver.drain(10_000);
            assertThat(run.failures).isEmpty();
            ReceivedCounts counts = run.receiver.counts();
            int foreign = Set.of("aeron", "quic").contains(engine.engine)
                    ? 0
                    : engine.isDatagrams() ? 5 : engine.isStream() ? 2 : 0;
            assertThat(counts).isEqualTo(new ReceivedCounts(50, 50, 0, 0, foreign, 0, 0, 0, 0));
        }
    }

    /** Checks that a closed run has left no thread and has released its port. */
    private static void assertNothingRemains(Case engine, int port) throws IOException {
        eventually().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .filter(name -> !name.endsWith("(idle)"))
                        .filter(name -> OWN_THREADS.stream().anyMatch(name::startsWith))
                        .collect(Collectors.toSet()))
                .isEmpty());
        if (engine.isDatagrams()) {
            new DatagramSocket(port, InetAddress.getLoopbackAddress()).close();
        } else {
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                    .hasMessageContaining("refused");
        }
    }

    /** Waits as {@code await()} does, but checks the condition at once and at short intervals. */
    static ConditionFactory eventually() {
        return await().atMost(60, TimeUnit.SECONDS).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(5));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void failsToSendAfterTheReceiverEnds(Case engine) throws Exception {
        int port;
        try (InterfaceRun run = engine.open(directory, 100, 1_000_000)) {
            run.connect().sender.send(0, 10, Pace.flood());
            eventually().until(() -> run.receiver.counts().received() == 10);
            port = run.port();
            String address = "127.0.0.1:" + port;
            run.receiver.close();
            if (engine.engine().equals("netty")
                    && engine.isDatagrams()) { // errors of UDP belong to packets, not to the connection
                run.sender.send(10, 1_000, Pace.flood());
                assertThat(run.sender.metadata()).containsKey(PacketError.RETRIED_SENDS);
                return;
            }
            assertThatThrownBy(() -> run.sender.send(10, 1_000_000, Pace.flood()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Sending to the receiver " + address + " failed: ");
        }
        assertNothingRemains(engine, port);
    }

    @ParameterizedTest
    @CsvSource({"java-socket,", "java-virtual,", "netty, nio", "netty, epoll", "netty, io_uring"})
    void endsABlockedSendWhenClosed(String engine, String io) throws Exception {
        Case blocked = new Case(engine, "tcp", io == null ? Map.of() : Map.of("io", io));
        try (InterfaceRun run = blocked.open(directory, 1 << 20, 100);
                ServerSocket peer = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            run.sender.connect(Map.of("port", Integer.toString(peer.getLocalPort())));
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> assertThatThrownBy(() -> run.sender.send(0, 100, Pace.flood()))
                            .isInstanceOf(IOException.class));
            eventually().until(() -> run.sender.lastIndex() >= 0);
            run.sender.close();
            sending.get(60, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @CsvSource({"java-socket, batch, 4", "netty, congestion-control, reno", "rmi, no-delay, false", "onc-rpc, batch, 4"
    })
    void refusesSettingsThatItDoesNotSupport(String engine, String setting, String value) throws Exception {
        PacketEngine found = InterfaceRun.engine(engine);
        Transport tcp = InterfaceRun.transport("tcp");
        Settings settings = InterfaceRun.settings(found, tcp, Map.of(setting, value));
        assertThatThrownBy(() -> found.check(tcp, settings))
                .hasMessageStartingWith("engine: " + engine + " does not support tcp." + setting + ": " + value);
        assertThat(found.stampsDepartures()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"java-socket, true", "java-socket, false", "netty, false", "onc-rpc, false"})
    void appliesTcpNoDelay(String engine, boolean noDelay) throws Exception {
        Case tcp = new Case(engine, "tcp", Map.of("no-delay", Boolean.toString(noDelay), "send-buffer", "64KiB"));
        try (InterfaceRun run = tcp.open(directory, 24, 1)) {
            assertThat(run.connect().sender.metadata())
                    .containsEntry("noDelay", noDelay)
                    .containsEntry("sendBufferBytes", 131_072L);
        }
    }

    /**
     * @param minBytes minimum allocation of the receiving thread per packet; the packet size if each packet is a new
     *     array
     */
    @ParameterizedTest
    @CsvSource({
        "rmi, tcp, flood, 992",
        "grpc, tcp, flood, 992",
        "netty, tcp, flood, 0",
        "quic, udp, flood, 0",
        "netty, udp, ping-pong, 16",
        "grpc, tcp, transfer, 992",
        "netty, tcp, transfer, 0",
        "quic, udp, transfer, 0"
    })
    void measuresAllocationPerPacket(String engine, String transport, String kind, long minBytes) throws Exception {
        TrafficSpec traffic =
                switch (kind) {
                    case "transfer" -> TrafficSpec.of(new TransferSpec(600 * 992, 1, true));
                    case "ping-pong" -> TrafficSpec.of(Traffic.ROUND_TRIP); // a flood of datagrams may lose some
                    default -> TrafficSpec.ONE_WAY;
                };
        try (InterfaceRun run = new Case(engine, transport, Map.of()).open(traffic, directory, 992, 600)) {
            run.connect().sender.send(0, 600, Pace.flood());
            run.receiver.drain(10_000);
            assertThat((Long) run.sender.metadata().get("packetThreadBytesPerPacket"))
                    .isPositive();
            assertThat((Long) run.receiver.metadata().get("connectionThreadBytesPerPacket"))
                    .isBetween(minBytes, 1_000_000L);
        }
    }

    /**
     * The receiver does not read during the flood, so the kernel drops datagrams that do not fit the receive buffer.
     */
    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll", "io_uring"})
    void countsDatagramsThatTheKernelDropped(String io) throws Exception {
        int packets = 500;
        Case datagrams = new Case("netty", "udp", Map.of("io", io, "receive-buffer", "4096"));
        try (InterfaceRun run = datagrams.open(directory, 1_000, packets)) {
            run.sender.connect(run.receiver.announce());
            run.sender.send(0, packets, Pace.flood()); // the first datagram waits for the start of the receiver
            run.receiver.start();
            run.receiver.drain(1_000);
            long received = run.receiver.counts().received();
            assertThat(received).isBetween(1L, packets - 1L);
            assertThat(run.receiver.kernelDrops()).isEqualTo(packets - received);
        }
    }

    /** No process listens on port 1 of loopback: the port is reserved, and the receiver has another one. */
    @Test
    void failsAtOnceIfQuicPortIsClosed() throws Exception {
        try (InterfaceRun run = new Case("quic", "udp", Map.of()).open(directory, 100, 5)) {
            Map<String, String> announced = new HashMap<>(run.receiver.announce());
            announced.put("port", "1");
            assertThatThrownBy(() -> run.sender.connect(announced))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining(
                            "Cannot connect to the receiver's data port 127.0.0.1:1: its UDP port is closed")
                    .extracting(e -> ((LagbenchException) e).exitCode())
                    .isEqualTo(ExitCode.PEER);
        }
    }

    /** The receiver's port closes without a QUIC CONNECTION_CLOSE frame, as when its host dies. */
    @Test
    void endsAQuicRunWhoseReceiverDies() throws Exception {
        InterfaceRun ended;
        try (InterfaceRun run = new Case("quic", "udp", Map.of()).open(directory, 1_000, 1_000_000);
                DatagramRelay relay = DatagramRelay.to(run.port())) {
            run.receiver.start();
            Map<String, String> announced = new HashMap<>(run.receiver.announce());
            announced.put("port", Integer.toString(relay.port()));
            run.sender.connect(announced);
            run.sender.send(0, 10, Pace.flood());
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> run.receiver.counts().received() == 10);
            relay.end();
            assertThatThrownBy(() -> run.sender.send(10, 1_000_000, Pace.flood()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("its UDP port is closed: the receiver has ended");
            ended = run;
        }
        try (CaptureReader sent = CaptureReader.open(ended.sentFile)) {
            assertThat(sent.records()).isBetween(10L, 999_999L);
        }
    }

    @Test
    void reportsThatVirtualThreadsNeedNewerJdk() throws Exception {
        LagbenchException reason = InterfaceRun.engine("java-virtual").unavailableReason(InterfaceRun.transport("tcp"));
        if (Runtime.version().feature() >= 21) {
            assertThat(reason).isNull();
        } else {
            assertThat(reason)
                    .hasMessageContaining("engine: java-virtual needs a JDK 21 or newer, and this is JDK 17")
                    .extracting(LagbenchException::exitCode)
                    .isEqualTo(ExitCode.UNAVAILABLE);
        }
    }
}
