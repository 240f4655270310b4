package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.lab.Lab;

/** Tests {@code lagbench lab}. */
@Tag("one-java")
class LabCommandTest {
    private static final String NAME = "test-" + ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    @Test
    void createsShowsUsesAndRemovesLab() throws Exception {
        Namespaces.assumeCreatable();
        try {
            String network = "{rate: 10mbit, reverse: {rate: 1mbit}, seed: 3}";
            assertThat(lab("up", network, "--name", NAME).out())
                    .contains("sender 10.139.0.1 ════════ 10.139.0.2 receiver")
                    .containsPattern("\\R  rate +10mbit +1mbit\\R  seed +3\\R\\R");
            try (LagbenchProcess addresses =
                    LagbenchProcess.run(directory, "lab", "exec", NAME, "sender", "--", "ip", "-o", "-4", "address")) {
                assertThat(addresses.exitCode()).as(addresses.err()).isZero();
                assertThat(addresses.out()).contains("10.139.0.1/24");
            }
            try (LagbenchProcess failing =
                    LagbenchProcess.run(directory, "lab", "exec", NAME, "receiver", "--", "sh", "-c", "exit 42")) {
                assertThat(failing.exitCode()).isEqualTo(42);
            }
            try (LagbenchProcess serve =
                    LagbenchProcess.startBy(Lab.named(NAME).commandOn("receiver"), directory, "serve", "--new-key")) {
                serve.awaitOut("Press Ctrl-C");
                assertThat(serve.out())
                        .as(serve.err())
                        .contains(" run udp 10.139.0.2\n")
                        .doesNotContain("Other addresses");
                assertThat(serve.err()).doesNotContain("runs as root");
            }
            assertThat(lab("show", NAME).out())
                    .contains("Counters since the lab was created")
                    .containsPattern("\\Rpackets +\\d+ +\\d+\\R");
            assertThat(lab("show", NAME, "--json").out()).contains("\"name\"", "\"" + NAME + "\"");
        } finally {
            lab("down", NAME);
        }
        assertThat(Namespaces.of(NAME)).isEmpty();
        CommandResult gone = CommandResult.of("lab", "show", NAME);
        assertThat(gone.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(gone.err()).contains("There is no lab " + NAME).doesNotContain("\tat ");
    }

    /** Many kernels have no netem, so a fake tc records its arguments. */
    @Test
    void configuresNetemBehindQueues() throws Exception {
        Namespaces.assumeCreatable();
        Path recorded = directory.resolve("recorded.txt");
        Path programs = Files.createDirectory(directory.resolve("programs"));
        Files.writeString(
                Files.createFile(
                        programs.resolve("tc"),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"))),
                """
                #!/bin/sh
                case "$*" in
                    *-batch*) { echo "tc $*"; cat; } >>"%s" ;;
                    *show*) echo '[]' ;;
                    *) echo "tc $*" >>"%s" ;;
                esac
                """
                        .formatted(recorded, recorded));
        Path network = Files.writeString(
                directory.resolve("netem.yaml"),
                """
                like: long-fat
                backend: netem
                forward: {loss: 2.5%, jitter: 1ms}
                reverse: {rate: 1mbit, queue: 20 packets, delay: 10ms, duplication: 1%, reordering: 0.01%}
                """);
        try (LagbenchProcess up = LagbenchProcess.runBy(
                List.of("env", "PATH=" + programs + ":" + System.getenv("PATH")),
                directory,
                "lab",
                "up",
                network.toString(),
                "--name",
                NAME)) {
            assertThat(up.exitCode()).as(up.err()).isZero();
            assertThat(Files.readString(recorded).replace("lagbench-lab-" + NAME, "LAB"))
                    .isEqualTo(
                            """
                            tc -n LAB-probe qdisc add dev lo root netem delay 1ms
                            tc -n LAB-sender -batch -
                            qdisc add dev path1 root handle 1: tbf rate 9995000bit burst 2100 limit 625000 mpu 84 \
                            overhead 24
                            tc -n LAB-wire -batch -
                            qdisc add dev path1 root handle 1: netem limit 1000000 delay 10000.000us duplicate 1.0000% \
                            reorder 0.0100% rate 1000000bit 24
                            tc -n LAB-wire -batch -
                            qdisc add dev path2 root handle 1: netem limit 1000000 delay 250000.000us 1000.000us loss \
                            2.5000% rate 10000000bit 24
                            tc -n LAB-receiver -batch -
                            qdisc add dev path2 root handle 1: tbf rate 999500bit burst 1650 limit 1000000000 mpu 84 \
                            overhead 24
                            qdisc add dev path2 parent 1: handle 2: pfifo limit 20
                            """);
        } finally {
            lab("down", NAME);
        }
    }

    @Test
    void suggestsRemedyWithoutPrivileges() throws Exception {
        Path experiment = Files.writeString(directory.resolve("experiment.yaml"), "lab: ethernet-10\npackets: 10");
        List<CommandResult> results = LagbenchBatch.runBy(
                Namespaces.WITHOUT_THE_RIGHT,
                directory,
                List.of(
                        "lab up ethernet-10 --name " + NAME,
                        "lab show",
                        "sweep " + experiment + " --set transports=udp"));
        assertThat(results).hasSize(3).allSatisfy(refused -> {
            assertThat(refused.exitCode()).as(refused.err()).isEqualTo(ExitCode.UNAVAILABLE.code());
            assertThat(refused.err())
                    .contains("A lab consists of network namespaces, which need root")
                    .contains("use sudo")
                    .contains("lab: none measures over this machine's loopback")
                    .doesNotContain("\tat ");
        });
        assertThat(Namespaces.of(NAME)).isEmpty();
    }

    private static CommandResult lab(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "lab";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        CommandResult lab = CommandResult.of(all);
        assertThat(lab.exitCode()).as(lab.err()).isZero();
        return lab;
    }
}
