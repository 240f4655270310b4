package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/** Tests {@code lagbench serve} with the other commands on a second host; each host is a network namespace. */
@Tag("one-java")
class ServeTest {
    private static final String NO_CHRONY = "127.0.0.1:1";
    private static final Pattern LINE =
            Pattern.compile("(?m)^  LAGBENCH_KEY=([0-9a-f]{32}) scripts/lagbench (run udp 10\\.139\\.77\\.2)$");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @SuppressWarnings("NullAway.Init") // the test sets it
    private TwoHosts hosts;

    @Test
    void measuresWithTheKeyItPrints() throws Exception {
        try (TwoHosts both = TwoHosts.create("serve")) {
            hosts = both;
            measureFrom(hosts.there());
        }
    }

    @Test
    void printsCommandForThisHostAndReportsKilledReceiver() throws Exception {
        try (LagbenchProcess server = LagbenchProcess.start(directory, "serve", "--listen", "127.0.0.1:0")) {
            server.awaitOut("Press Ctrl-C");
            assertThat(server.out())
                    .contains("in another terminal of this host:", "only if there is a key: lagbench serve --new-key.")
                    .doesNotContain("LAGBENCH_KEY");
            LagbenchProcess.signal(server.awaitChild("org.lagbench.receiver.Receiver"), "KILL");
            assertThat(server.exitCode()).isEqualTo(ExitCode.BROKEN.code());
            assertThat(server.err())
                    .contains("lagbench: The receiver ended by signal 9: another program or the kernel");
        }
    }

    @Test
    void namesTheKeyFileToCopy() throws Exception {
        Path key = Files.writeString(directory.resolve("own.key"), "0123456789abcdef0123456789abcdef");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        try (LagbenchProcess server = LagbenchProcess.start(
                directory,
                "serve",
                "--listen",
                "127.0.0.1:0",
                "--key-file",
                key.getFileName().toString())) {
            server.awaitOut("Press Ctrl-C");

            assertThat(server.out())
                    .contains(" --key-file KEY-FILE\n", "KEY-FILE is a copy of this host's key file, " + key + ".");
        }
    }

    /** Without the limit for strangers these would use all files that the receiver may open. */
    @Test
    void measuresDespiteIdleConnectionsWithFewOpenFiles() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (LagbenchProcess server = LagbenchProcess.startBy(
                List.of("prlimit", "--nofile=160"), directory, "serve", "--listen", "127.0.0.1:0")) {
            server.awaitOut("Press Ctrl-C");
            Matcher address =
                    Pattern.compile("lagbench run udp (127\\.0\\.0\\.1:(\\d+))").matcher(server.out());
            assertThat(address.find()).as(server.out()).isTrue();
            for (int i = 0; i < 160; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(address.group(2))));
            }
            String[] command = ("run udp " + address.group(1) + " --size 100 --packets 100 --interval 1ms --mode sleep"
                            + " --warm-up-packets 0 --drain 100ms --observe none --no-report --output " + directory)
                    .split(" ", -1);
            try (LagbenchThread run = LagbenchThread.run(directory, command)) {
                assertThat(run.exitCode()).as(run.err() + server.err()).isZero();
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    private void measureFrom(String there) throws Exception {
        try (LagbenchProcess server = LagbenchProcess.startBy(
                TwoHosts.on(there, "LAGBENCH_BOOT_ID=another-kernel"),
                directory,
                "serve",
                "--new-key",
                "--directory",
                "kept",
                "--chrony",
                NO_CHRONY)) {
            server.awaitOut("Press Ctrl-C");
            Matcher line = LINE.matcher(server.out());
            assertThat(line.find()).as(server.out()).isTrue();
            String key = "LAGBENCH_KEY=" + line.group(1);
            assertThat(server.err()) // only root creates the namespaces of this test
                    .startsWith("lagbench: serve runs as root, which only labs and observers need; use another user.");
            assertThat(server.children())
                    .map(LagbenchProcess::commandLine)
                    .isNotEmpty()
                    .noneMatch(command -> command.contains(line.group(1)));

            measureBothDirections(key, line.group(2));
            interruptServer(server, key);
        }
    }

    private void measureBothDirections(String key, String printed) throws Exception {
        String options = " --size 100 --packets 200 --interval 1ms --mode sleep --warm-up-packets 50 --drain 100ms"
                + " --observe none --accept-unsynchronized --clock.chrony " + NO_CHRONY + " --no-report";
        List<CommandResult> results = LagbenchBatch.runBy(
                TwoHosts.on(hosts.here(), key),
                directory,
                List.of(
                        "doctor 10.139.77.2 --chrony " + NO_CHRONY,
                        printed + options + " --output first/results",
                        "run tcp 10.139.77.2 --bidirectional" + options + " --output both/results"));

        CommandResult doctor = results.get(0);
        assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
        assertThat(doctor.out())
                .containsPattern("(?m)^ok +TCP there +connects to 10.139.77.2 port \\d+$")
                .containsPattern("(?m)^ok +UDP there +datagrams go to 10.139.77.2 port \\d+ and back$")
                .containsPattern("(?m)^ok +Version there +lagbench \\d+\\.\\d+\\.\\d+, Java ")
                .containsPattern("(?m)^\\w+ +Clocks +the two clocks agree within ± [^(]*\\(two-way\\)")
                .containsPattern("(?m)^\\w+ +Buffer limit there +net.core.rmem_max = \\d+ bytes");
        CommandResult first = results.get(1);
        assertThat(first.exitCode()).as(first.err()).isZero();
        Path kept = directory.resolve("kept/0001-udp-100-r1");
        assertThat(first.out())
                .contains("UDP", "10.139.77.2:5394 keeps its own stamps in " + kept + ".")
                .containsPattern("This host keeps the stamps of both sides and the results:\\RSession: ");
        Path copy =
                Sweeps.runs(new Sweeps(directory.resolve("first")).session()).get(0);
        assertThat(copy.resolve("receiver.npy")).hasSameBinaryContentAs(kept.resolve("receiver.npy"));
        assertThat(RunRecord.read(copy).state()).isEqualTo(RunRecord.State.COMPLETE);
        CommandResult both = results.get(2);
        assertThat(both.exitCode()).as(both.err()).isZero();
        assertThat(both.out())
                .contains("direction forward (both at once)", "direction backward (both at once)")
                .contains("10.139.77.2:5394 keeps its own stamps in " + directory.resolve("kept") + ".");
        assertBackwardRun();
    }

    private void assertBackwardRun() throws Exception {
        List<Path> runs = Sweeps.runs(new Sweeps(directory.resolve("both")).session());
        assertThat(runs).hasSize(2);
        Path backward = runs.get(0).toString().contains("backward") ? runs.get(0) : runs.get(1);
        RunRecord record = RunRecord.read(backward);
        assertThat(record.state()).isEqualTo(RunRecord.State.COMPLETE);
        assertThat(Objects.requireNonNull(record.run().stream()).direction()).isEqualTo(StreamRole.Direction.BACKWARD);
        assertThat(record.sender().bootId()).isEqualTo("another-kernel");
        assertThat(record.sender().metadata().get("localAddress")).asString().startsWith("10.139.77.2:");
        assertThat(record.sender().metadata().get("remoteAddress")).asString().startsWith("10.139.77.1:");
        Path kept = directory.resolve("kept").resolve(backward.getFileName());
        for (String file : List.of("sender.npy", RunRecord.FILE_NAME)) {
            assertThat(backward.resolve(file)).hasSameBinaryContentAs(kept.resolve(file));
        }
        assertThat(Sweeps.stamps(backward)).isEqualTo(200);
    }

    /** Ctrl-C on the server: both sides keep their stamps, and the other host's user learns who was interrupted. */
    private void interruptServer(LagbenchProcess server, String key) throws Exception {
        Path second = Files.createDirectory(directory.resolve("second"));
        try (LagbenchProcess run = LagbenchProcess.startBy(
                TwoHosts.on(hosts.here(), key),
                second,
                ("run tcp 10.139.77.2 --duration 40s --interval 1ms --mode sleep --warm-up-packets 50 --observe none"
                                + " --jvm=-XX:TieredStopAtLevel=1 --accept-unsynchronized --clock.chrony " + NO_CHRONY)
                        .split(" ", -1))) {
            Path session = new Sweeps(second).awaitStamps();
            server.signalGroup("INT");
            assertThat(server.exitCode()).isEqualTo(ExitCode.INTERRUPTED.code());
            assertThat(server.out()).contains("This host keeps its own stamps in " + directory.resolve("kept") + ".");
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.INTERRUPTED.code());
            Path stamped = Sweeps.runs(session).get(0);
            assertThat(run.err())
                    .contains("The receiver was interrupted after " + Sweeps.stamps(stamped) + " of 40000 packets")
                    .contains("lagbench table "
                            + session.getParent().getParent().relativize(session) + " --include-broken");
            Files.copy(directory.resolve("kept/0001-tcp-992-r1/receiver.npy"), stamped.resolve("receiver.npy"));
            CommandResult table = CommandResult.of("table", session.toString(), "--include-broken");
            assertThat(table.exitCode()).as(table.err()).isZero();
            assertThat(table.out()).contains("TCP");
        }
    }
}
