package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.clock.ClockState.Source;
import tools.jackson.databind.json.JsonMapper;

class ClockStatesTest {
    @TempDir
    Path directory;

    private static ChronyClient nobody() throws Exception {
        return new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    }

    private void process(int pid, String name, String state) throws Exception {
        Path process = Files.createDirectories(directory.resolve("" + pid));
        Files.writeString(process.resolve("stat"), pid + " (" + name + ") " + state + " 1 1 1 0 -1");
    }

    @Test
    void suggestsChronyWithoutDaemon() throws Exception {
        process(1, "systemd", "S");
        process(20, "my ntpd) S", "S");
        process(21, "ntpd", "Z"); // a zombie, which has ended
        Files.createDirectory(directory.resolve("self"));

        ClockState state = ClockState.ask(nobody(), directory);

        assertThat(state.source()).isEqualTo(Source.NO_DAEMON);
        assertThat(state.bootId()).isEqualTo(KernelIdentity.bootId());
        assertThat(state.tracking()).isNull();
        assertThat(state.boundNs()).isNull();
        assertThat(state.sentence())
                .matches("Nothing keeps this host's clock: no chronyd answers at 127.0.0.1:\\d+"
                        + " \\(the command port of chronyd is closed\\)"
                        + " and no other time daemon runs\\. Install chrony .*");
    }

    @Test
    void recognizesOtherTimeDaemon() throws Exception {
        process(1, "systemd", "S");
        process(300, "systemd-timesyn", "S");

        ClockState state = ClockState.ask(nobody(), directory);

        assertThat(state.source()).isEqualTo(Source.OTHER_DAEMON);
        assertThat(state.sentence()).startsWith("systemd-timesyncd (process 300) keeps this host's clock");
    }

    @Test
    void reportsSilentChronydRatherThanOtherTimeDaemon() throws Exception {
        process(300, "ntpd", "S");
        process(301, "chronyd", "S");

        ClockState state = ClockState.ask(nobody(), directory);

        assertThat(state.source()).isEqualTo(Source.FORBIDDEN);
        assertThat(state.sentence()).startsWith("chronyd (process 301) runs on this host, but ");
    }

    @Test
    void reportsRefusalAsForbidden() throws Exception {
        try (UdpResponder chronyd = new UdpResponder(request -> {
            byte[] reply = TrackingMessageTest.replyTo(ByteBuffer.wrap(request).getInt(8));
            reply[9] = 2;
            return List.of(reply);
        })) {
            ClockState state = ClockState.ask(
                    new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), chronyd.port())),
                    directory);

            assertThat(state.source()).isEqualTo(Source.FORBIDDEN);
            assertThat(state.sentence()).contains("refuses to report its state (not authorized)");
        }
    }

    @Test
    void findsProcessesByTruncatedNames() throws Exception {
        for (String name : List.of("ntpd", "systemd-timesyncd", "ptp4l")) {
            Path program = Files.copy(Path.of("/bin/sleep"), directory.resolve(name));
            Process daemon = new ProcessBuilder(program.toString(), "60").start();
            try {
                Awaitility.await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> assertThat(
                                TimeDaemons.running(Path.of("/proc")))
                        .contains(new TimeDaemons.TimeDaemon(name, daemon.pid())));
            } finally {
                daemon.destroyForcibly().waitFor();
            }
            assertThat(TimeDaemons.running(Path.of("/proc")))
                    .doesNotContain(new TimeDaemons.TimeDaemon(name, daemon.pid()));
        }
    }

    @Test
    void findsNoDaemonInHiddenProc() {
        assertThat(TimeDaemons.running(directory.resolve("missing"))).isEmpty();
    }

    @Test
    void roundTripsThroughJson() throws Exception {
        JsonMapper json = new JsonMapper();
        ChronyTracking tracking = TrackingMessage.reply(TrackingMessageTest.reply(), TrackingMessageTest.SEQUENCE);
        ClockHistory history = new ClockHistory(
                List.of(ClockState.of(5, "boot", tracking), ClockState.ask(nobody(), directory)),
                List.of(new ClockHistory.ClockStep(7, -1_000_000)));
        String text = json.writeValueAsString(history);
        assertThat(json.readValue(text, ClockHistory.class)).isEqualTo(history);
        assertThat(text)
                .contains("\"source\":\"CHRONY\"", "\"leap\":\"NORMAL\"")
                .doesNotContain("totalStepNs");

        OffsetInterval interval = new OffsetInterval(1, 2, -3, 4, 5, 6);
        assertThat(json.writeValueAsString(interval))
                .contains("\"lowerNs\":-3")
                .doesNotContain("mpty")
                .doesNotContain("largest");
        assertThat(json.readValue(json.writeValueAsString(interval), OffsetInterval.class))
                .isEqualTo(interval);

        for (ClockBound bound : List.of(
                new ClockBound(12L, ClockBound.Basis.SAME_KERNEL, List.of()),
                new ClockBound(null, ClockBound.Basis.NOTHING, List.of("a mark")))) {
            assertThat(json.readValue(json.writeValueAsString(bound), ClockBound.class))
                    .isEqualTo(bound);
        }
        assertThat(json.writeValueAsString(ClockBound.Basis.TWO_WAY)).isEqualTo("\"two-way\"");
    }
}
