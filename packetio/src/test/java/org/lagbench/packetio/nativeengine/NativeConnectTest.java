package org.lagbench.packetio.nativeengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.engine.SendEngine;

/** The connection of a sender of the engine c. */
class NativeConnectTest {
    @TempDir
    private Path directory;

    /** The queue of the listening socket is full, so that the kernel tries to connect again after a second. */
    @Test
    void connectsAlthoughProcessWasStopped() throws Exception {
        Runs runs = new Runs("tcp");
        Path file = directory.resolve("sender.npy");
        List<Socket> others = new ArrayList<>();
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                SenderCapture capture = SenderCapture.create(file, 1, false);
                SendEngine sender =
                        runs.openSender("c", runs.side(100, Map.of()).file(file).build(), capture)) {
            for (boolean hasRoom = true; hasRoom; ) {
                others.add(new Socket());
                hasRoom = connects(others.get(others.size() - 1), listening.getLocalSocketAddress());
            }
            CompletableFuture<Void> connecting =
                    CompletableFuture.runAsync(() -> connect(sender, listening.getLocalPort()));
            within().until(() -> isConnecting(listening.getLocalPort()));
            String engine = engine();
            signal("-STOP", engine);
            within().until(() -> state(engine).equals("T"));
            signal("-CONT", engine);
            within().until(() -> !state(engine).equals("T"));
            for (int i = 1; i < others.size(); i++) {
                listening.accept().close();
            }
            connecting.get(60, TimeUnit.SECONDS);
            assertThat(sender.metadata()).containsKey("localAddress");
        } finally {
            for (Socket other : others) {
                other.close();
            }
        }
    }

    /** It is connected, but the capture of replies does not exist. */
    @Test
    void doesNotBlameConnectionForOtherFailures() throws Exception {
        Runs runs = new Runs("tcp");
        Path file = directory.resolve("sender.npy");
        TrafficSpec traffic = TrafficSpec.of(Traffic.ROUND_TRIP);
        try (Peer peer = Peer.of("tcp");
                SenderCapture capture = SenderCapture.create(file, 1, false);
                SendEngine sender =
                        runs.openSender("c", runs.roundTrips(100, Map.of(), traffic, 1, 0, 0, file, null), capture)) {
            assertThatThrownBy(() -> sender.connect(peer.announcement()))
                    .hasMessage("Sending cannot start: No such file or directory.");
        }
    }

    private static ConditionFactory within() {
        return await().atMost(Duration.ofSeconds(60));
    }

    private static boolean connects(Socket socket, SocketAddress to) throws IOException {
        try {
            socket.connect(to, 500);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    private static void connect(SendEngine sender, int port) {
        try {
            sender.connect(Map.of("port", Integer.toString(port)));
        } catch (LagbenchException e) {
            throw new IllegalStateException(e.sentence(), e);
        }
    }

    /** Returns whether a connection to a port on loopback waits for the reply (state SYN_SENT). */
    private static boolean isConnecting(int port) throws IOException {
        Pattern synSent = Pattern.compile(String.format(" 0100007F:%04X 02 ", port));
        return synSent.matcher(Files.readString(Path.of("/proc/net/tcp"))).find();
    }

    private static String engine() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("lagbench-engine"))
                .map(child -> Long.toString(child.pid()))
                .findFirst()
                .orElseThrow();
    }

    private static String state(String pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", pid, "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
    }

    private static void signal(String signal, String pid) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, pid).start().waitFor()).isZero();
    }
}
