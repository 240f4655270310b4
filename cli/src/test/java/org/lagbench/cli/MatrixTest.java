package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.text.Endpoint;

class MatrixTest {
    /** Not one of those in /proc/sys/net/ipv4/ip_local_port_range. */
    private static final int PORT = 5394;

    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void printsPlanOfHundredSites() throws Exception {
        Path sites = Files.writeString(
                directory.resolve("hundred.yaml"),
                IntStream.range(0, 100)
                        .mapToObj(i -> String.format(Locale.ROOT, "  - {name: s%d, host: 192.0.2.%d}%n", i, i + 1))
                        .collect(Collectors.joining("", "sites:\n", "")));

        CommandResult plan = CommandResult.of("matrix", sites.toString(), "--plan");

        assertThat(plan.exitCode()).as(plan.err()).isZero();
        assertThat(plan.out())
                .startsWith("100 sites, 9900 directed pairs, 198 rounds. A round has at most 50 pairs, so no schedule"
                        + " has fewer than 198 rounds.");
        assertThat(plan.out().lines()).hasSize(199);
    }

    @Test
    void plansOnlyChosenPairs() throws Exception {
        Path sites = Files.writeString(
                directory.resolve("four.yaml"),
                """
                sites: [{name: a, host: h1}, {name: b, host: h2}, {name: c, host: h3}, {name: d, host: h4}]
                pairs: [a/c, b/d, c/a]
                """);

        CommandResult plan = CommandResult.of("matrix", sites.toString(), "--plan");

        assertThat(plan.exitCode()).as(plan.err()).isZero();
        assertThat(plan.out())
                .contains("4 sites, 3 directed pairs, 2 rounds.", "round 1: a → c, b → d", "round 2: c → a");
    }

    @Test
    void refusesMethodsWithoutBottlenecks() throws Exception {
        CommandResult matrix = CommandResult.of("matrix", "sites.yaml", "--all-methods");

        assertThat(matrix.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(matrix.err()).contains("--all-methods needs --bottlenecks.");
    }

    @Test
    void refusesFileWithoutSites() throws Exception {
        Path sites = Files.writeString(directory.resolve("none.yaml"), "packets: 100\n");

        CommandResult matrix = CommandResult.of("matrix", sites.toString());

        assertThat(matrix.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(matrix.err()).contains(sites + ":1:1: sites: a matrix has 2 to 1000 sites");
    }

    /**
     * Two sites have agents with a key each, one has none. Its pairs are missing with a reason; the others are kept. As
     * after a kill in its second run, another pair has only the first: the others are made.
     */
    @Test
    @Tag("one-java")
    void keepsMeasuredPairsIfOneSiteIsDown() throws Exception {
        Endpoint firstSite = ownEndpoint(0);
        Endpoint secondSite = ownEndpoint(1);
        try (LagbenchThread first = agent("first", firstSite, "second", secondSite);
                LagbenchThread second = agent("second", secondSite, "first", firstSite)) {
            first.awaitOut(LISTENING);
            second.awaitOut(LISTENING);
            Path sites = Files.writeString(
                    directory.resolve("sites.yaml"),
                    "key-file: first.key\npackets: 20\ninterval: 1ms\nbudget-mb: 1\nsites:\n"
                            + "  - {name: a, host: " + firstSite.host() + ", port: " + firstSite.port() + "}\n"
                            + "  - {name: b, host: " + secondSite.host() + ", port: " + secondSite.port()
                            + ", key-file: second.key}\n"
                            + "  - {name: down, host: 127.0.0.9, port: 1}\n");
            CommandResult matrix =
                    CommandResult.of("matrix", sites.toString(), "--output", directory.toString(), "--format", "csv");

            assertThat(matrix.exitCode()).as(matrix.err()).isEqualTo(ExitCode.PEER.code());
            assertThat(matrix.out())
                    .containsPattern("(?m)^a,b,[0-9.]+,.*,0\\.0,,.*,[a-z-]+,$")
                    .containsPattern("(?m)^b,a,[0-9.]+,.*,0\\.0,,.*,[a-z-]+,$")
                    .containsPattern("(?m)^down,a,,.*No receiver answers at 127\\.0\\.0\\.9:1 ")
                    .containsPattern("(?m)^a,down,,.*On the sender: No receiver answers at 127\\.0\\.0\\.9:1 ");

            Path session = session();
            assertThat(session.resolve("matrix.html")).isNotEmptyFile();
            assertThat(session.resolve("pairs/a/down/runs/0001-udp-200-r1/run.json"))
                    .content()
                    .contains("No receiver answers at 127.0.0.9:1");
            assertThat(session.resolve("pairs/a/b/runs/0004-tcp-16384-transfer-r1/run.json"))
                    .content()
                    .containsPattern("\"mode\" *: *\"flood\""); // not the pace of the packets
            Path begun = session.resolve("pairs/b/a/runs/0001-udp-200-r1");
            List<String> made = traffics(begun.getParent());
            for (Path later : FileTree.list(begun.getParent())) {
                if (!later.equals(begun)) {
                    FileTree.delete(later);
                }
            }
            Files.createFile(
                    Files.createDirectory(session.resolve("pairs/b/a/incoming")).resolve("run.json"));
            List<Path> kept = new ArrayList<>(FileTree.list(session.resolve("pairs/a/b/runs")));
            kept.add(begun);
            FileTime before = FileTime.from(Instant.EPOCH);
            for (Path run : kept) {
                Files.setLastModifiedTime(run.resolve("run.json"), before);
            }
            CommandResult refused = CommandResult.of("matrix", "--resume", session.toString());
            assertThat(refused.exitCode()).isEqualTo(ExitCode.USAGE.code());
            assertThat(refused.err()).contains("--allow-file " + directory.resolve("first.key"));
            CommandResult resumed = CommandResult.of(
                    "matrix",
                    "--resume",
                    session.toString(),
                    "--format",
                    "csv",
                    "--allow-file",
                    directory.resolve("first.key").toString(),
                    "--allow-file",
                    directory.resolve("second.key").toString());
            assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(ExitCode.PEER.code());
            assertThat(resumed.out().lines().filter(row -> !row.startsWith("b,a,")))
                    .containsExactlyElementsOf(matrix.out()
                            .lines()
                            .filter(row -> !row.startsWith("b,a,"))
                            .toList());
            assertThat(resumed.out()).containsPattern("(?m)^b,a,[0-9.]+,.*,0\\.0,,.*,[a-z-]+,$");
            assertThat(traffics(begun.getParent())).startsWith(made.get(0), made.get(1), made.get(2));
            assertThat(begun.getParent().resolveSibling("incoming")).doesNotExist();
            for (Path run : kept) {
                assertThat(Files.getLastModifiedTime(run.resolve("run.json"))).isEqualTo(before);
            }
            assertThat(CommandResult.of("table", session.resolve("pairs/a/b").toString())
                            .out())
                    .contains("UDP/IP");
            // the agent deletes when it notices that the coordinator has disconnected
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(directory.resolve("first")).isEmptyDirectory());
        }
    }

    /** Returns the names of runs in order, without their numbers. */
    private static List<String> traffics(Path runs) throws Exception {
        return FileTree.list(runs).stream()
                .map(run -> String.valueOf(run.getFileName()))
                .sorted()
                .map(name -> name.substring(name.indexOf('-')))
                .toList();
    }

    private LagbenchThread agent(String name, Endpoint site, String other, Endpoint otherSite) throws Exception {
        Path received = directory.resolve(name);
        return LagbenchThread.start(
                received,
                "serve",
                "--key-file",
                key(name).toString(),
                "--allow",
                "run,send-to-others",
                "--allow",
                key(other) + "=run",
                "--site",
                otherSite + ",127.0.0.9:1",
                "--listen",
                site.toString(),
                "--directory",
                received.toString(),
                "--chrony",
                "127.0.0.1:1");
    }

    /** Returns the file of a site's key. */
    private Path key(String site) throws Exception {
        Path key = directory.resolve(site + ".key");
        if (!Files.exists(key)) {
            Files.createFile(key, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(key, String.format("0123456789abcdef%016x", site.hashCode()));
        }
        return key;
    }

    /** Returns an endpoint of this process alone: the address has its ID, and no program gets the port by chance. */
    private static Endpoint ownEndpoint(int number) {
        long address = 1L << 23 | ProcessHandle.current().pid() << 1 | number;
        return new Endpoint("127." + (address >> 16) + "." + (address >> 8 & 0xff) + "." + (address & 0xff), PORT);
    }

    private Path session() throws Exception {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(entry -> Files.exists(entry.resolve("matrix.csv")))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
