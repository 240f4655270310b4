package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesIndex;

/** Kills a monitor and continues its session, as whole programs. */
@Tag("one-java")
class MonitorResumeTest {
    private static final long S = 1_000_000_000;
    private static final int ROUNDS = 6;

    @TempDir
    Path directory;

    private record Value(long round, double value, int state) {}

    private List<Value> values(Path session) throws Exception {
        List<Value> values = new ArrayList<>();
        if (SeriesIndex.isIn(session)) {
            long startNs = SeriesIndex.read(session).startNs();
            SeriesFiles.read(session, "ping.java.roundTrip.median", 0, Long.MAX_VALUE, (atNs, value, state) -> {
                assertThat(Math.floorMod(atNs - startNs, S)).isZero();
                values.add(new Value((atNs - startNs) / S, value, state));
            });
        }
        return values;
    }

    /** Another program's datagrams over loopback. */
    private static final class OtherTraffic implements AutoCloseable {
        private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        private final AtomicLong bytes = new AtomicLong();
        private final Thread thread = new Thread(this::send);

        OtherTraffic() throws IOException {
            thread.start();
        }

        private void send() {
            byte[] datagram = new byte[50_000];
            while (!socket.isClosed()) {
                try {
                    socket.send(new DatagramPacket(datagram, datagram.length, socket.getLocalSocketAddress()));
                    bytes.addAndGet(datagram.length);
                    Thread.sleep(1);
                } catch (IOException | InterruptedException e) {
                    assertThat(socket.isClosed()).isTrue();
                }
            }
        }

        long bytes() {
            return bytes.get();
        }

        @Override
        public void close() {
            socket.close(); // ends the thread, which reads from the socket
        }
    }

    @Test
    void neitherLosesNorAddsValuesWhenKilled() throws Exception {
        Path file = Files.writeString(
                directory.resolve("weather.yaml"),
                """
                monitor:
                  every: 2s
                  for: %ds
                  probes:
                    - {name: ping, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,
                       warm-up-packets: 1, pace: flood, drain: 0s}
                """
                        .formatted(2 * ROUNDS));
        Path session = directory.resolve("weather");
        String[] command = {"monitor", file.toString(), "--resume", session.toString(), "--cost"};
        List<Value> before = new ArrayList<>();
        try (LagbenchProcess killed = LagbenchProcess.start(directory, command)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> values(session).stream()
                    .anyMatch(value -> value.state() == SeriesFiles.SeriesState.OK));
            killed.signal("KILL");
            killed.exitCode();
            before.addAll(values(session));
        }
        Path stored = session.resolve("experiment.yaml"); // as of an earlier build, which observed nothing by default
        String recorded = Files.readString(stored);
        assertThat(recorded).contains("observe: auto");
        Files.writeString(stored, recorded.replace("observe: auto", "observe: none"));

        try (OtherTraffic other = new OtherTraffic();
                LagbenchProcess resumed = LagbenchProcess.start(directory, command)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> values(session).size() > before.size());
            CommandResult second = CommandResult.of("monitor", "--resume", session.toString());
            assertThat(second.exitCode()).as(second.err()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(second.err()).contains("Another lagbench uses " + session);
            assertThat(resumed.exitCode()).as(resumed.err()).isZero();
            Matcher bytes = Pattern.compile("([0-9,]+) bytes of packets").matcher(resumed.out());
            assertThat(bytes.find()).as(resumed.out()).isTrue();
            boolean hasProbed = values(session).stream()
                    .skip(before.size())
                    .anyMatch(value -> value.state() == SeriesFiles.SeriesState.OK);
            assertThat(Long.parseLong(bytes.group(1).replace(",", "")))
                    .isBetween(hasProbed ? 1L : 0L, other.bytes() / 10)
                    .isLessThan(1_000_000);
        }

        List<Value> after = values(session);
        assertThat(after).startsWith(before.toArray(Value[]::new));
        assertThat(after).extracting(Value::round).containsExactly(0L, 2L, 4L, 6L, 8L, 10L);
        assertThat(after)
                .allMatch(
                        value -> (value.state() == SeriesFiles.SeriesState.OK) == Double.isFinite(value.value()),
                        "has a value if ok");
        long missing = after.stream()
                .filter(value -> value.state() != SeriesFiles.SeriesState.OK)
                .count();
        String name = session.toString();
        assertThat(CommandResult.of("table", name, "--format", "csv").out())
                .contains("ping.java.roundTrip.median,µs," + (ROUNDS - missing) + "," + missing + ",");
        CommandResult forecast = CommandResult.of("forecast", name);
        assertThat(forecast.out()).contains("ping.java.roundTrip.median");
        assertThat(forecast.out() + forecast.err()).contains("host.cpuLoad"); // perhaps killed before its first value
        assertThat(CommandResult.of("report", name).exitCode()).isZero();
        assertThat(Files.readString(session.resolve("report.html"))).contains("ping.java.roundTrip.median");
        assertOtherSeriesAreRefused(session);
    }

    private static void assertOtherSeriesAreRefused(Path session) throws Exception {
        Path index = session.resolve(SeriesIndex.FILE_NAME);
        Files.writeString(index, Files.readString(index).replace("host.cpuLoad", "host.other"));
        CommandResult refused = CommandResult.of("monitor", "--resume", session.toString());
        assertThat(refused.exitCode()).isEqualTo(ExitCode.FILES.code());
        assertThat(refused.err()).contains("does not list the series of the session's experiment");
    }
}
