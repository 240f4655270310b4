package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;

/**
 * Runs over a router that has a smaller MTU behind it, and in tests loses packets or translates addresses; each host is
 * a network namespace. The tests share the hosts, a server, and a JVM for the commands.
 */
@Order(1)
@Tag("one-java")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutedNetworkTest {
    private static final String KEY = "LAGBENCH_KEY=0123456789abcdef0123456789abcdef";
    private static final String NO_CHRONY = "127.0.0.1:1";

    private Path directory;

    @AutoClose
    private RoutedHosts hosts;

    @AutoClose
    private LagbenchProcess server;

    @AutoClose
    private LagbenchBatch here;

    @BeforeAll
    void connect(@TempDir Path directory) throws Exception {
        this.directory = directory;
        hosts = RoutedHosts.create("routed", 1300);
        server = serve(hosts, directory);
        here = LagbenchBatch.startBy(TwoHosts.on(hosts.here(), KEY), directory);
        server.awaitOut("Press Ctrl-C");
    }

    @Test
    void missesLimitOfLossIfAllRepliesAreLostAndFailsIfAllPacketsAre() throws Exception {
        String judged = " --machine.max-other-load 100% --judge-by value --require loss<=1%";
        String fifty = " --interval 1ms --packets 50 --warm-up-packets 5";
        List<String> commands = new ArrayList<>();
        commands.add(hosts.dropUdpOf(RoutedHosts.FAR, "add"));
        commands.add(run("udp --traffic round-trip --reply-timeout 10ms" + fifty + judged));
        commands.add("ping " + RoutedHosts.THERE_ADDRESS + " -c 3 -i 10ms -W 100ms" + judged);
        commands.add(hosts.dropUdpOf(RoutedHosts.FAR, "delete"));
        commands.add(hosts.dropUdpOf(RoutedHosts.NEAR, "add"));
        for (String engine : List.of("java", "c")) {
            commands.add(run("udp --drain 100ms --engine " + engine + fifty));
        }
        commands.add(hosts.dropUdpOf(RoutedHosts.NEAR, "delete"));

        List<CommandResult> results = here.run(commands);

        CommandResult unanswered = results.get(0);
        assertThat(unanswered.exitCode())
                .as(unanswered.err() + unanswered.out())
                .isEqualTo(ExitCode.MISSED.code());
        assertThat(unanswered.out()).contains("The packets arrived, but no reply came back in 1 run");
        CommandResult ping = results.get(1);
        assertThat(ping.exitCode()).as(ping.err() + ping.out()).isEqualTo(ExitCode.MISSED.code());
        assertThat(ping.out().lines())
                .startsWith(
                        "no reply: seq=0 within 100ms", "no reply: seq=1 within 100ms", "no reply: seq=2 within 100ms");
        assertThat(results.subList(2, 4)).allSatisfy(failed -> {
            assertThat(failed.exitCode()).as(failed.err()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(sentences(failed.err()))
                    .contains("None of the 50 packets of")
                    .contains("arrived in 1 of 1 run; --allow-missing accepts a share of the runs.");
            assertThat(failed.out()).contains("No packet arrived in 1 run");
        });
    }

    /** The first packets of each run are larger than the path's MTU, of which the kernel does not yet know. */
    @Test
    @Tag("merge")
    void runsThroughSmallerMtuWithEveryEngine() throws Exception {
        List<String> cases = List.of(
                "udp --engine java",
                "udp --engine c",
                "udp --engine netty",
                "udp --engine quic --quic.delivery datagram",
                "srt --latency 100ms");
        String large = " --size 1400 --interval 1ms --packets 100 --warm-up-packets 100";
        String doctor = "doctor " + RoutedHosts.THERE_ADDRESS + " --size --chrony " + NO_CHRONY;
        List<String> commands = new ArrayList<>();
        for (String tried : cases) {
            commands.add(hosts.forgetMtu());
            commands.add(run(tried + large));
        }
        commands.add(run("udp --fragment refuse" + large));
        commands.add(doctor);
        commands.add(hosts.limitMtu(1200)); // as a tunnel does, which fragments larger packets itself
        commands.add(doctor);
        commands.add(hosts.limitMtu(1500));

        List<CommandResult> results = here.run(commands);

        for (int i = 0; i < cases.size(); i++) {
            CommandResult run = results.get(i);
            assertThat(run.exitCode()).as(cases.get(i) + ": " + run.err()).isZero();
            assertThat(sentences(run.out()))
                    .as(cases.get(i))
                    .contains("packets do not fit the path's MTU of 1,300 bytes. Each was fragmented into 2");
        }
        CommandResult refusing = results.get(cases.size());
        assertThat(refusing.exitCode()).as(refusing.err()).isEqualTo(ExitCode.BROKEN.code());
        assertThat(sentences(refusing.out()))
                .contains("packets did not leave the sender's host")
                .contains("EMSGSIZE (they do not fit the path's MTU)");
        assertThat(results.subList(cases.size() + 1, results.size()))
                .extracting(doctored -> sentences(doctored.out()))
                .satisfiesExactly(
                        asRouted -> assertThat(asRouted).contains("1272 bytes pass there and back in one IP packet"),
                        limited -> assertThat(limited).contains("1172 bytes pass there and back in one IP packet"));
    }

    /** Each run uses other ports, for which the router has no state yet. */
    @Test
    @Tag("merge")
    void receivesThroughNat() throws Exception {
        List<String> cases = List.of(
                "udp --engine java-nio --traffic round-trip --bidirectional",
                "udp --engine c --traffic round-trip --reverse",
                "udp --engine netty --traffic round-trip --reverse",
                "udp --engine quic --reverse",
                "tcp --engine java --reverse",
                "tcp --engine c --traffic round-trip --size 16 --reverse",
                "tcp --engine netty --netty.io epoll --traffic round-trip --reverse",
                "srt --encryption aes-128 --reverse");
        List<String> hidden = List.of("tcp --engine grpc", "rist");
        RoutedHosts.Fault translation = hosts.translateAddresses();
        try (translation) {
            String roomForAll = " --receive-buffer 4MiB"; // on a busy machine the receiver may read late
            String judged = " --require loss<100% --machine.max-other-load 100% --judge-by value";
            List<CommandResult> results = here.run(Stream.concat(
                            cases.stream()
                                    .map(tried -> run(tried + (tried.startsWith("udp") ? roomForAll : "")
                                            + " --interval 1ms --packets 100 --warm-up-packets 100" + judged)),
                            hidden.stream()
                                    .map(tried -> run(tried + " --interval 1ms --packets 20"
                                            + " --warm-up-packets 20 --stall-timeout 2s --reverse")))
                    .toList());
            for (int i = 0; i < cases.size(); i++) {
                CommandResult run = results.get(i);
                assertThat(run.exitCode())
                        .as(cases.get(i) + ": " + run.out() + run.err())
                        .isZero();
            }
            List<CommandResult> refused = results.subList(cases.size(), results.size());
            for (int i = 0; i < hidden.size(); i++) {
                assertThat(refused.get(i).exitCode()).as(hidden.get(i)).isNotZero();
                assertThat(sentences(refused.get(i).err()))
                        .as(hidden.get(i))
                        .contains("behind a NAT: its own address is " + RoutedHosts.HERE_ADDRESS);
            }
        }
    }

    /**
     * Both hosts name their ports, and this one its address and, if the engine can, its interface. The other host keeps
     * no files.
     */
    @Test
    void bindsPacketsToAddressPortAndDeviceAndKeepsNoStampsOnRequest() throws Exception {
        Path bound = Files.createDirectory(directory.resolve("bound"));
        try (RoutedHosts others = RoutedHosts.create("local", 1500);
                LagbenchProcess other = serve(others, bound, "--data-port", "5395", "--no-stamps")) {
            other.awaitOut("Press Ctrl-C");
            int port = 5400; // another one for each run: a TCP connection keeps its two ports for a minute
            List<String> commands = new ArrayList<>();
            List<String> sessions = new ArrayList<>();
            for (String transport : List.of("udp", "tcp")) {
                for (String engine : List.of("java", "c", "netty")) {
                    port++;
                    sessions.add(engine + "-" + transport);
                    commands.add(String.join(
                            " ",
                            run(transport + " --engine " + engine),
                            "--direction " + (transport.equals("udp") ? "backward" : "forward"),
                            "--data-port " + port + " --bind " + RoutedHosts.HERE_ADDRESS,
                            "--interval 1ms --packets 20 --warm-up-packets 20 --output " + engine + "-" + transport
                                    + (engine.equals("netty") ? "" : " --device " + RoutedHosts.NEAR)));
                }
            }
            commands.add(run("tcp --engine grpc --data-port 5399"));
            List<CommandResult> results = LagbenchBatch.runBy(TwoHosts.on(others.here(), KEY), bound, commands);
            for (int i = 0; i < sessions.size(); i++) {
                assertThat(results.get(i).exitCode())
                        .as(sessions.get(i) + results.get(i).err())
                        .isZero();
                assertThat(results.get(i).out()).doesNotContain("keeps its own stamps");
                assertThat(record(bound.resolve(sessions.get(i))))
                        .contains("\"" + RoutedHosts.HERE_ADDRESS + ":" + (5401 + i) + "\"")
                        .contains("\"" + RoutedHosts.THERE_ADDRESS + ":5395\"");
            }
            CommandResult refused = results.get(sessions.size());
            assertThat(refused.exitCode()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(sentences(refused.err()))
                    .contains("engine: grpc cannot send from a named address or port")
                    .contains("use engine: java or java-nio or c or netty");
            Path kept = bound.resolve("kept");
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(kept)
                    .isEmptyDirectory()); // the agent deletes files after the last message of the run
        }
    }

    private static String record(Path session) throws IOException {
        try (Stream<Path> files = Files.walk(session)) {
            Path record =
                    files.filter(file -> file.endsWith("run.json")).findFirst().orElseThrow();
            return Files.readString(record);
        }
    }

    /** Returns a text without its line breaks. */
    private static String sentences(String text) {
        return text.replaceAll("\\s+", " ");
    }

    private static LagbenchProcess serve(RoutedHosts hosts, Path directory, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("serve", "--chrony", NO_CHRONY, "--directory", "kept"));
        arguments.addAll(List.of(options));
        return LagbenchProcess.startBy(TwoHosts.on(hosts.there(), KEY), directory, arguments.toArray(new String[0]));
    }

    /** Returns a run with the other host, without chrony and without a report. */
    private static String run(String arguments) {
        return "run "
                + arguments
                        .replaceFirst("( |$)", " " + RoutedHosts.THERE_ADDRESS + " ")
                        .strip() + " --clock.chrony " + NO_CHRONY + " --no-report";
    }
}
