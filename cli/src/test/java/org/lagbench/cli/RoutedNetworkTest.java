package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;

/** Runs over a router that loses packets or has a smaller MTU behind it; each host is a network namespace. */
@Tag("one-java")
class RoutedNetworkTest {
    private static final String KEY = "LAGBENCH_KEY=0123456789abcdef0123456789abcdef";
    private static final String NO_CHRONY = "127.0.0.1:1";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void missesLimitOfLossIfAllRepliesAreLost() throws Exception {
        try (RoutedHosts hosts = RoutedHosts.create("replies", 1500);
                LagbenchProcess server = serve(hosts)) {
            server.awaitOut("Press Ctrl-C");
            hosts.dropUdpFromThere();

            LagbenchProcess run = run(
                    hosts,
                    List.of(
                            "run",
                            "udp",
                            RoutedHosts.THERE_ADDRESS,
                            "--traffic",
                            "round-trip",
                            "--answer-timeout",
                            "10ms"),
                    List.of(
                            "--packets",
                            "50",
                            "--warm-up-packets",
                            "5",
                            "--require",
                            "loss <= 1 %",
                            "--judge-by",
                            "value"));

            assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(ExitCode.MISSED.code());
            assertThat(run.out()).contains("The packets arrived, but no reply came back in 1 run");

            LagbenchProcess ping = run(
                    hosts,
                    List.of("ping", RoutedHosts.THERE_ADDRESS),
                    List.of("-c", "3", "-i", "10ms", "-W", "100ms", "--judge-by", "value", "--require", "loss <= 1 %"));
            assertThat(ping.exitCode()).as(ping.err() + ping.out()).isEqualTo(ExitCode.MISSED.code());
            assertThat(ping.out().lines())
                    .startsWith(
                            "no reply: seq=0 within 100ms",
                            "no reply: seq=1 within 100ms",
                            "no reply: seq=2 within 100ms");
        }
    }

    /** The first packets of each run are larger than the path's MTU, of which the kernel does not yet know. */
    @Test
    void runsThroughSmallerMtuWithEveryEngine() throws Exception {
        try (RoutedHosts hosts = RoutedHosts.create("mtu", 1300);
                LagbenchProcess server = serve(hosts)) {
            server.awaitOut("Press Ctrl-C");
            for (String engine : List.of("java", "java-nio", "c", "netty")) {
                hosts.forgetMtu();
                LagbenchProcess run = run(
                        hosts,
                        List.of("run", "udp", RoutedHosts.THERE_ADDRESS, "--size", "1400", "--engine", engine),
                        List.of("--interval", "1ms", "--packets", "100", "--warm-up-packets", "100"));

                assertThat(run.exitCode()).as(engine + ": " + run.err()).isZero();
                if (engine.equals("java") || engine.equals("c")) {
                    assertThat(sentences(run.out()))
                            .as(engine)
                            .contains("packets do not fit the path's MTU of 1,300 bytes. Each was fragmented into 2");
                }
            }

            LagbenchProcess refusing = run(
                    hosts,
                    List.of("run", "udp", RoutedHosts.THERE_ADDRESS, "--size", "1400", "--fragment", "refuse"),
                    List.of("--interval", "1ms", "--packets", "100", "--warm-up-packets", "100"));
            assertThat(refusing.exitCode()).as(refusing.err()).isZero();
            assertThat(sentences(refusing.out()))
                    .contains("packets did not leave the sender's host")
                    .contains("EMSGSIZE (they do not fit the path's MTU)");

            LagbenchProcess doctor =
                    run(hosts, List.of("doctor", RoutedHosts.THERE_ADDRESS), List.of("--size", "--chrony", NO_CHRONY));
            assertThat(sentences(doctor.out())).contains("1272 bytes pass there and back in one IP packet");
        }
    }

    @Test
    void receivesUdpThroughNat() throws Exception {
        try (RoutedHosts hosts = RoutedHosts.create("nat", 1500);
                LagbenchProcess server = serve(hosts)) {
            server.awaitOut("Press Ctrl-C");
            hosts.translateAddresses();

            LagbenchProcess run = run(
                    hosts,
                    List.of("run", "udp", RoutedHosts.THERE_ADDRESS, "--reverse", "--interval", "1ms"),
                    List.of("--packets", "100", "--warm-up-packets", "100", "--require", "loss < 100 %"));

            assertThat(run.out()).as(run.err()).contains("Lag").doesNotContain("No packet arrived");
            assertThat(run.exitCode()).isNotEqualTo(ExitCode.BROKEN.code()).isNotEqualTo(ExitCode.PEER.code());
        }
    }

    /** Returns a text without its line breaks. */
    private static String sentences(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private LagbenchProcess serve(RoutedHosts hosts) throws Exception {
        return LagbenchProcess.startBy(
                TwoHosts.on(hosts.there(), KEY), directory, "serve", "--chrony", NO_CHRONY, "--directory", "kept");
    }

    private LagbenchProcess run(RoutedHosts hosts, List<String> command, List<String> options) throws Exception {
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(options);
        if (command.get(0).equals("run")) {
            arguments.addAll(List.of("--clock.chrony", NO_CHRONY, "--no-report"));
        }
        return LagbenchProcess.runBy(TwoHosts.on(hosts.here(), KEY), directory, arguments.toArray(new String[0]));
    }
}
