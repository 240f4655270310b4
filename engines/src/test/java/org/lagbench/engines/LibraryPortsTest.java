package org.lagbench.engines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody else uses the ports of both sides of a run, although the parsers of libraries stand behind them. */
class LibraryPortsTest {
    private static final int PACKETS = 40;
    private static final int STRANGERS_DATAGRAMS = 20;

    /** A datagram of RIST's main profile whose header ends behind it: librist 0.2.7 decrypts far more than it has. */
    private static final byte[] SHORT_GRE = HexFormat.of().parseHex("300888b601020304");

    /** A sender report and a name, as a sender of RIST begins with, and a packet. */
    private static final String RTCP_REPORT =
            "80c80006SOURCE" + "00".repeat(20) + "81ca0003SOURCE" + "0103616263000000";

    private static final String RTP_PACKET = "80210001000003e8SOURCE" + "00".repeat(100);

    /** The header of RIST's main profile, and ports within the tunnel. */
    private static final String GRE_REDUCED = "000088b607b007b1";

    /**
     * Each ends librist 0.2.7, or occupies its thread forever: packets without content whose place is taken twice, a
     * request of 4 bytes, a report whose length is 0 modulo 2¹⁶, a name of 255 bytes.
     */
    private static final List<String> FAULTS = List.of(
            "802100050000000100000002",
            "802100050000000200000002",
            "80cd0000",
            "80c83fff" + "00".repeat(24),
            "81ca00400000000201ff" + "61".repeat(256));

    private static final int FORGED_FLOWS = 60;

    private static final int CAP_NET_BIND_SERVICE = 10;

    /** Bit 12 is CAP_NET_ADMIN. */
    private static final String NO_CAPABILITY_OF_NETWORKS = "CapEff:\\s+[0-9a-f]{12}[02468ace][0-9a-f]{3}";

    /** The distribution's, which every user may start. */
    private static final String PYTHON = "/usr/bin/python3";

    @TempDir
    private Path directory;

    private InterfaceRun open(String engine, String transport, String settings) throws Exception {
        InterfaceRun.assumeAvailable(engine, transport);
        Map<String, String> given = settings.isEmpty()
                ? Map.of()
                : List.of(settings.split(" ", -1)).stream()
                        .map(setting -> setting.split("=", -1))
                        .collect(Collectors.toMap(setting -> setting[0], setting -> setting[1]));
        return InterfaceRun.open(directory, engine, transport, given, 992, PACKETS, 1, 16);
    }

    /** Returns the ports that the run has opened since some others were open. */
    private static List<OpenPort> since(List<OpenPort> before) throws Exception {
        Set<Integer> known = before.stream().map(OpenPort::port).collect(Collectors.toSet());
        return OpenPort.all().stream()
                .filter(port -> !known.contains(port.port()))
                .toList();
    }

    private static void assertComplete(InterfaceRun run) throws Exception {
        assertComplete(run, 0);
    }

    private static void assertComplete(InterfaceRun run, long foreignConnections) throws Exception {
        run.sender.send(-1, PACKETS + 16, InterfaceRun.PACE);
        run.receiver.drain(10_000);
        assertThat(run.failures).isEmpty();
        assertThat(run.receiver.counts().distinct()).isEqualTo(PACKETS);
        assertThat(run.receiver.counts().foreign()).isEqualTo(foreignConnections);
    }

    @ParameterizedTest
    @CsvSource({
        "libsrt, srt, latency=1s",
        "libsrt, srt, latency=1s encryption=aes-128",
        "librist, rist, buffer=1s",
        "librist, rist, buffer=1s encryption=aes-128",
        "librist, rist, buffer=1s encryption=aes-256",
        "librist, rist, buffer=1s profile=simple",
        "quic, udp, ''",
        "quic, udp, delivery=datagram",
        "aeron, udp, ''",
        "netty, udp, ''",
        "netty, udp, io=epoll",
    })
    void dropDatagramsOfOtherHosts(String engine, String transport, String settings) throws Exception {
        List<OpenPort> before = OpenPort.all();
        try (DatagramSocket stranger = new DatagramSocket(0, InetAddress.getByName("127.0.0.2"));
                InterfaceRun run = open(engine, transport, settings)) {
            run.connect();
            Set<Integer> tried = new HashSet<>();
            for (boolean isNew = true; isNew; ) { // librist opens some ports a moment later
                isNew = false;
                for (OpenPort open : since(before)) {
                    if (tried.add(open.port())) {
                        isNew = true;
                        sendAsStranger(stranger, open);
                    }
                }
            }
            assertThat(since(before))
                    .filteredOn(open -> tried.contains(open.port()))
                    .filteredOn(open -> open.port() != stranger.getLocalPort() && !open.isConnected())
                    .isNotEmpty()
                    .allSatisfy(open -> assertThat(open.drops()).isEqualTo(STRANGERS_DATAGRAMS));
            assertComplete(run);
        }
    }

    private static void sendAsStranger(DatagramSocket stranger, OpenPort to) throws IOException {
        for (int i = 0; i < STRANGERS_DATAGRAMS; i++) {
            stranger.send(datagram(i % 2 == 0 ? SHORT_GRE : new byte[i], to));
        }
    }

    private static DatagramPacket datagram(byte[] content, OpenPort to) {
        return new DatagramPacket(
                content, content.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), to.port()));
    }

    /** Other users of the peer's host have its address. */
    @ParameterizedTest
    @CsvSource({"aes-128", "aes-256", "none"})
    void dropShortTunnelHeadersOfTheSameHost(String encryption) throws Exception {
        List<OpenPort> before = OpenPort.all();
        try (InterfaceRun run = open("librist", "rist", "buffer=1s encryption=" + encryption);
                DatagramSocket other = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            run.connect();
            for (OpenPort open : since(before)) {
                for (int flags = 0; flags < 256; flags++) {
                    for (int bytes = 4; bytes < 24; bytes++) {
                        byte[] content = new byte[bytes];
                        System.arraycopy(SHORT_GRE, 0, content, 0, Math.min(bytes, SHORT_GRE.length));
                        content[0] = (byte) flags;
                        other.send(datagram(content, open));
                    }
                }
            }
            assertComplete(run);
        }
    }

    /** Each new flow is a thread of librist, and three in the simple profile end it. */
    @ParameterizedTest
    @ValueSource(strings = {"profile=simple", "profile=main", "encryption=aes-128", "encryption=aes-256"})
    void dropFlowsOfTheSameHost(String setting) throws Exception {
        List<OpenPort> before = OpenPort.all();
        try (InterfaceRun run = open("librist", "rist", "buffer=1s " + setting)) {
            forgeFlows(since(before));
            run.connect();
            int threads = threadsOfPrograms().size();
            forgeFlows(since(before));
            assertComplete(run);
            assertThat(threadsOfPrograms()).hasSizeLessThan(threads + 5); // those of the sender's own flow
        }
    }

    /** Sends what a sender of RIST begins with to each port, from many ports of this host. */
    private static void forgeFlows(List<OpenPort> ports) throws Exception {
        for (int flow = 0; flow < FORGED_FLOWS; flow++) {
            try (DatagramSocket other = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
                for (int times = 0; times < 6; times++) {
                    byte[] source = ByteBuffer.allocate(Integer.BYTES)
                            .putInt(2 * (flow + times / 3 + 1))
                            .array();
                    for (OpenPort open : ports) {
                        for (String content : List.of(RTCP_REPORT, RTP_PACKET)) {
                            String named =
                                    content.replace("SOURCE", HexFormat.of().formatHex(source));
                            other.send(datagram(HexFormat.of().parseHex(named), open));
                            other.send(datagram(HexFormat.of().parseHex(GRE_REDUCED + named), open));
                        }
                    }
                }
            }
        }
    }

    /** Only root forges addresses and ports; so the sender's port is the receiver's peer, and the reverse. */
    @ParameterizedTest
    @ValueSource(strings = {"profile=simple", "profile=main", "encryption=aes-128", "encryption=aes-256"})
    void dropForgedDatagramsOfThePeer(String setting) throws Exception {
        assumeTrue(isRoot() && Files.isExecutable(Path.of(PYTHON)), "only root forges a source by " + PYTHON);
        List<OpenPort> before = OpenPort.all();
        try (InterfaceRun run = open("librist", "rist", "buffer=1s " + setting)) {
            run.connect();
            forgeFaults(since(before));
            assertComplete(run);
        }
    }

    /** Sends each fault from each port to each other one, with and without the header of the main profile. */
    private static void forgeFaults(List<OpenPort> ports) throws Exception {
        String program =
                """
                import socket, struct, sys
                ports, faults = [int(port) for port in sys.argv[1].split(",")], map(bytes.fromhex, sys.argv[2:])
                host = socket.inet_aton("127.0.0.1")
                raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
                for fault in faults:
                    for source, target in ((source, target) for source in ports for target in ports):
                        udp = struct.pack(">HHHH", source, target, 8 + len(fault), 0) + fault
                        ip = struct.pack(">BBHHHBBH4s4s", 69, 0, 20 + len(udp), 0, 0, 64, 17, 0, host, host)
                        raw.sendto(ip + udp, ("127.0.0.1", 0))
                """;
        List<String> command = new ArrayList<>(List.of(PYTHON, "-c", program));
        command.add(ports.stream().map(port -> Integer.toString(port.port())).collect(Collectors.joining(",")));
        for (String fault : FAULTS) {
            command.add(fault);
            command.add(GRE_REDUCED + fault);
        }
        for (int packet = 0; packet < FORGED_FLOWS; packet++) { // which the key of the cipher decrypts to anything
            command.add("300888b600000001%08x%0256d".formatted(packet, packet));
        }
        Process forger = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(forger.getInputStream().readAllBytes(), UTF_8);
        assertThat(forger.waitFor()).as(printed).isZero();
    }

    /** Returns the threads of this process's children. */
    private static List<Path> threadsOfPrograms() throws Exception {
        List<Path> threads = new ArrayList<>();
        for (ProcessHandle program : ProcessHandle.current().children().toList()) {
            try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(program.pid()), "task"))) {
                threads.addAll(tasks.toList());
            }
        }
        return threads;
    }

    /** Who takes a program over by a fault of its library has no more than the program. */
    @ParameterizedTest
    @CsvSource({"libsrt, srt, latency=1s", "librist, rist, buffer=1s", "onc-rpc, tcp, ''"})
    void areOfProgramsWithoutPrivileges(String engine, String transport, String settings) throws Exception {
        try (InterfaceRun run = open(engine, transport, settings)) {
            run.connect();
            assertThat(threadsOfPrograms()).hasSizeGreaterThan(3).allSatisfy(thread -> {
                Map<String, String> status = status(thread);
                assertThat(status).containsEntry("NoNewPrivs", "1").containsEntry("Seccomp", "2");
                assertThat(new BigInteger(status.get("CapPrm"), 16).clearBit(CAP_NET_BIND_SERVICE))
                        .isZero();
            });
            assertComplete(run);
        }
    }

    private static Map<String, String> status(Path thread) throws IOException {
        return Files.readAllLines(thread.resolve("status")).stream()
                .map(line -> line.split(":\\s*", 2))
                .collect(Collectors.toMap(words -> words[0], words -> words[1]));
    }

    @ParameterizedTest
    @CsvSource({"grpc, ''", "onc-rpc, ''", "netty, ''", "netty, io=epoll"})
    void acceptNoConnectionOfOtherHosts(String engine, String settings) throws Exception {
        assertNoConnectionOfOtherHosts(engine, settings);
    }

    /** Recent kernels let only root filter TCP; the tests run as root. */
    @Test
    void acceptNoConnectionOfOtherHostsWithoutPrivileges() throws Exception {
        assumeTrue(isRoot(), "without root, the other test shows it");
        List<String> command = new ArrayList<>(List.of(
                "setpriv",
                "--bounding-set=-all",
                "--inh-caps=-all",
                "--ambient-caps=-all",
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of(
                "-cp", System.getProperty("java.class.path"), WithoutPrivileges.class.getName(), directory.toString()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertThat(child.waitFor()).as(printed).isZero();
        assertThat(printed).contains("3 engines");
    }

    /** Tries the engines without a program in C: those have given their privileges up anyway. */
    static final class WithoutPrivileges {
        private WithoutPrivileges() {}

        public static void main(String[] arguments) throws Exception {
            assertThat(Files.readString(Path.of("/proc/self/status"))).containsPattern(NO_CAPABILITY_OF_NETWORKS);
            LibraryPortsTest test = new LibraryPortsTest();
            test.directory = Path.of(arguments[0]);
            List<List<String>> cases = List.of(List.of("grpc", ""), List.of("netty", ""), List.of("netty", "io=epoll"));
            for (List<String> engine : cases) {
                test.assertNoConnectionOfOtherHosts(engine.get(0), engine.get(1));
            }
            System.out.println(cases.size() + " engines");
        }
    }

    private void assertNoConnectionOfOtherHosts(String engine, String settings) throws Exception {
        List<OpenPort> before = OpenPort.all();
        try (InterfaceRun run = open(engine, "tcp", settings);
                SocketChannel stranger = SocketChannel.open().bind(new InetSocketAddress("127.0.0.2", 0))) {
            OpenPort listening = since(before).get(0);
            stranger.configureBlocking(false);
            stranger.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.port()));
            boolean isConnected = stranger.finishConnect();
            if (isConnected) {
                assertMayNotFilter(engine);
            }
            run.connect();
            assertRefused(stranger);
            assertComplete(run, isConnected && engine.equals("onc-rpc") ? 1 : 0);
        }
    }

    /** Some kernels let only root filter TCP: then a connection is made, and closed before a library reads from it. */
    private static void assertMayNotFilter(String engine) throws IOException {
        if (!engine.equals("onc-rpc")) { // whose program has given its capabilities up
            assertThat(Files.readString(Path.of("/proc/self/status"))).containsPattern(NO_CAPABILITY_OF_NETWORKS);
        }
    }

    private static void assertRefused(SocketChannel stranger) throws Exception {
        if (stranger.finishConnect()) {
            stranger.configureBlocking(true);
            stranger.socket().setSoTimeout(10_000);
            assertThat(readByte(stranger)).isEqualTo(-1);
        }
    }

    private static int readByte(SocketChannel stranger) throws IOException {
        try {
            return stranger.socket().getInputStream().read();
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the connection stays open", e);
        } catch (SocketException e) {
            return -1; // reset
        }
    }

    @ParameterizedTest
    @CsvSource({
        "libsrt, srt, latency=1s",
        "libsrt, srt, latency=1s encryption=aes-128",
        "librist, rist, buffer=1s",
        "librist, rist, buffer=1s encryption=aes-128",
        "librist, rist, buffer=1s profile=simple",
        "quic, udp, ''",
        "aeron, udp, ''",
        "netty, udp, ''",
        "netty, tcp, ''",
        "grpc, tcp, ''",
        "onc-rpc, tcp, ''",
        "rmi, tcp, ''",
        "java-socket, tcp, ''",
        "c, udp, ''",
        "java, udp, ''"
    })
    void areNotBoundByAnotherUser(String engine, String transport, String settings) throws Exception {
        assumeAnotherUser();
        List<OpenPort> before = OpenPort.all();
        try (InterfaceRun run = open(engine, transport, settings)) {
            List<OpenPort> opened = since(before); // those of TCP may close when the sender has connected
            assertThat(opened).isNotEmpty();
            assertThat(bindAsOther(opened)).isEmpty();
            run.connect();
            assertThat(bindAsOther(
                            since(before).stream().filter(OpenPort::isUdp).toList()))
                    .isEmpty();
            assertComplete(run);
        }
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    private static void assumeAnotherUser() throws Exception {
        assumeTrue(isRoot() && Files.isExecutable(Path.of(PYTHON)), "only root starts " + PYTHON + " as another user");
    }

    @Test
    void areBoundByAnotherUserIfBothShareThem() throws Exception {
        assumeAnotherUser();
        try (DatagramSocket shared = new DatagramSocket(null)) {
            shared.setReuseAddress(true);
            shared.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            assertThat(bindAsOther(List.of(new OpenPort(true, shared.getLocalPort(), false, 0))))
                    .containsExactly(Integer.toString(shared.getLocalPort()));
        }
    }

    /** Returns the ports that another user can bind too, of those that are still open then: some close at once. */
    private static Set<String> bindAsOther(List<OpenPort> ports) throws Exception {
        String program =
                """
                import socket, sys
                for word in sys.argv[1:]:
                    kind, port = word.split(":")
                    for host in "127.0.0.1", "0.0.0.0":
                        other = socket.socket(socket.AF_INET, getattr(socket, kind))
                        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                        try:
                            other.bind((host, int(port)))
                            print(port)
                        except OSError as refused:
                            assert refused.errno == 98, refused
                """;
        List<String> command = new ArrayList<>(
                List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", PYTHON, "-c", program));
        ports.forEach(port -> command.add((port.isUdp() ? "SOCK_DGRAM:" : "SOCK_STREAM:") + port.port()));
        Process other = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(other.getInputStream().readAllBytes(), UTF_8);
        assertThat(other.waitFor()).as(printed).isZero();
        Set<String> open = OpenPort.all().stream()
                .map(port -> Integer.toString(port.port()))
                .collect(Collectors.toSet());
        return printed.lines().filter(open::contains).collect(Collectors.toSet());
    }
}
