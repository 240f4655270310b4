package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.clock.ChronyTracking.Leap;
import org.lagbench.core.clock.ClockState.Source;

/** Compares the client's results from real chronyd processes with those of chronyc. */
class ChronydTest {
    private static final double ROUNDED_S = 0.6e-9;

    @TempDir
    Path directory;

    @Test
    void agreesWithChronycOnLocalReference() throws Exception {
        try (PrivateChronyd chronyd =
                PrivateChronyd.start(directory, PrivateChronyd.freePort(), "local stratum 8", "port 0")) {
            String[] witness = chronyd.tracking();
            ChronyTracking tracking = chronyd.client().tracking();

            assertThat(tracking.referenceId()).isEqualTo(witness[0]).isEqualTo(ChronyTracking.LOCAL_REFERENCE);
            assertThat(tracking.isLocalReference()).isTrue();
            assertThat(tracking.referenceAddress()).isNull();
            assertThat(tracking.stratum()).isEqualTo(8);
            assertThat(witness[13]).isEqualTo("Normal");
            assertThat(tracking.leap()).isEqualTo(Leap.NORMAL);
            assertThat(tracking.boundNs()).isZero();
        }
    }

    @Test
    void agreesWithChronycOnServer() throws Exception {
        int timePort = PrivateChronyd.freePort();
        Path serverDirectory = Files.createDirectory(directory.resolve("server"));
        Path clientDirectory = Files.createDirectory(directory.resolve("client"));
        try (PrivateChronyd server = PrivateChronyd.start(
                        serverDirectory, 0, "local stratum 8", "port " + timePort, "bindaddress 127.0.0.1", "allow");
                PrivateChronyd client = PrivateChronyd.start(
                        clientDirectory,
                        PrivateChronyd.freePort(),
                        "server 127.0.0.1 port " + timePort + " minpoll -2 maxpoll -2 iburst",
                        "port 0")) {
            Awaitility.await("synchronized, with a rate known")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> client.client().tracking().leap() == Leap.NORMAL
                            && client.client().tracking().updateIntervalS() > 0);

            for (boolean compared = false; !compared; ) {
                ChronyTracking before = client.client().tracking();
                String[] witness = client.tracking();
                ChronyTracking after = client.client().tracking();
                // An update of the clock in between would have changed the compared values.
                compared = before.referenceTimeNs() == after.referenceTimeNs();
                if (compared) {
                    compare(before, witness, after);
                }
            }
            ClockState state = ClockState.ask(client.client());
            assertThat(state.source()).isEqualTo(Source.CHRONY);
            assertThat(state.sentence()).startsWith("chronyd follows 127.0.0.1 (stratum 9) to within ");
            assertThat(state.atNs()).isCloseTo(RealtimeClock.nowNs(), within(10_000_000_000L));
            assertThat(server.pid()).isNotEqualTo(client.pid());
        }
    }

    private static void compare(ChronyTracking before, String[] witness, ChronyTracking after) {
        assertThat(before.referenceId()).isEqualTo(witness[0]).isEqualTo("7F000001");
        assertThat(before.referenceAddress()).isEqualTo(witness[1]).isEqualTo("127.0.0.1");
        assertThat(before.stratum()).isEqualTo(Integer.parseInt(witness[2])).isEqualTo(9);
        assertThat(before.referenceTimeNs())
                .isEqualTo(new BigDecimal(witness[3]).movePointRight(9).longValueExact());
        double correctionS = Double.parseDouble(witness[4]);
        double[] around = {before.correctionNs() / 1e9, after.correctionNs() / 1e9};
        Arrays.sort(around);
        assertThat(correctionS).isBetween(around[0] - ROUNDED_S, around[1] + ROUNDED_S);
        assertThat(before.lastOffsetNs() / 1e9).isCloseTo(Double.parseDouble(witness[5]), within(ROUNDED_S));
        assertThat(before.rmsOffsetNs() / 1e9).isCloseTo(Double.parseDouble(witness[6]), within(ROUNDED_S));
        assertThat(before.rmsOffsetNs()).isPositive();
        assertThat(before.frequencyPpm()).isCloseTo(Double.parseDouble(witness[7]), within(0.6e-3));
        assertThat(before.residualFrequencyPpm()).isCloseTo(Double.parseDouble(witness[8]), within(0.6e-3));
        assertThat(before.skewPpm()).isCloseTo(Double.parseDouble(witness[9]), within(0.6e-3));
        assertThat(before.skewPpm()).isPositive();
        assertThat(before.rootDelayNs() / 1e9).isCloseTo(Double.parseDouble(witness[10]), within(ROUNDED_S));
        assertThat(before.rootDelayNs()).isPositive();
        assertThat(Double.parseDouble(witness[11]))
                .isBetween(before.rootDispersionNs() / 1e9 - ROUNDED_S, after.rootDispersionNs() / 1e9 + ROUNDED_S);
        assertThat(before.rootDispersionNs()).isPositive();
        assertThat(before.updateIntervalS()).isCloseTo(Double.parseDouble(witness[12]), within(0.06));
        assertThat(witness[13]).isEqualTo("Normal");
    }

    @Test
    void isUnsynchronizedWithoutServers() throws Exception {
        try (PrivateChronyd chronyd = PrivateChronyd.start(directory, PrivateChronyd.freePort(), "port 0")) {
            assertThat(chronyd.tracking()[13]).isEqualTo("Not synchronised");

            ClockState state = ClockState.ask(chronyd.client());

            assertThat(state.source()).isEqualTo(Source.UNSYNCHRONIZED);
            assertThat(state.boundNs()).isNull();
            assertThat(state.tracking()).isNotNull();
            assertThat(state.tracking().stratum()).isZero();
            assertThat(state.tracking().referenceTimeNs()).isZero();
            assertThat(state.sentence())
                    .contains("has not synchronized the clock")
                    .contains("chronyc sources -v");
        }
    }

    @Test
    void reportsChronydWithClosedCommandPort() throws Exception {
        try (PrivateChronyd chronyd = PrivateChronyd.start(directory, 0, "local stratum 8", "port 0")) {
            ClockState state = ClockState.ask(new ChronyClient(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), PrivateChronyd.freePort())));

            assertThat(state.source()).isEqualTo(Source.FORBIDDEN);
            assertThat(state.tracking()).isNull();
            assertThat(state.sentence())
                    .matches("chronyd \\(process \\d+\\) runs on this host, but no chronyd answers at 127.0.0.1:\\d+"
                            + " \\(the command port of chronyd is closed\\): .*cmdport 0.*");
            assertThat(TimeDaemons.running(Path.of("/proc")))
                    .contains(new TimeDaemons.TimeDaemon("chronyd", chronyd.pid()));
        }
    }

    @Test
    void noticesEndOfChronyd() throws Exception {
        ChronyClient client;
        try (PrivateChronyd chronyd =
                PrivateChronyd.start(directory, PrivateChronyd.freePort(), "local stratum 8", "port 0")) {
            client = chronyd.client();
            assertThat(ClockState.ask(client).source()).isEqualTo(Source.CHRONY);
        }
        assertThatThrownBy(client::tracking)
                .isInstanceOf(ChronyClient.ChronyException.class)
                .hasMessage("the command port of chronyd is closed");
    }

    @Test
    void usesIpv6() throws Exception {
        InetAddress loopback = InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        assumeTrue(NetworkInterface.getByInetAddress(loopback) != null, "this machine has no IPv6");
        int port = PrivateChronyd.freePort();
        try (PrivateChronyd chronyd = PrivateChronyd.start(directory, port, "local stratum 8", "port 0")) {
            ChronyClient client = new ChronyClient(new InetSocketAddress(loopback, port));

            assertThat(client.tracking().stratum()).isEqualTo(8);
            assertThat(client.address()).isEqualTo("[::1]:" + port);
            assertThat(chronyd.pid()).isPositive();
        }
    }
}
