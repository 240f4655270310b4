package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.control.Access;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.FileExchange;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.control.RefusedException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.text.Endpoint;

/** Tests an agent whose sender is a shell script, which reads requests. */
class AgentRunsTest {
    private static final String SITE = "192.0.2.7:5394";

    /** Reads a request, and sets {@code d} to the parent of the run's directory. */
    private static final String READ =
            "read -r line && d=$(echo \"$line\" | sed 's/.*\"directory\":\"\\([^\"]*\\)\".*/\\1/')";

    private static final String MAKE_FILES = "{ mkdir \"$d/run\"; for f in sender.npy receiver.npy run.json; do"
            + " echo \"$$ $* $line\" > \"$d/run/$f\"; done; }";

    /** Reports that the sender waits for its receiver. */
    private static final String LISTEN =
            "echo '{\"type\":\"listening\",\"address\":{\"host\":\"127.0.0.1\",\"port\":9}}'; ";

    private static final String MAKE_ONE = READ + " && " + MAKE_FILES;

    private static final String MAKE_SEVERAL =
            "while " + READ + "; do " + MAKE_FILES + "; echo '{\"type\":\"completed\"}'; done";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void sendsFilesOfBothSidesAndDeletesThem() throws Exception {
        Path copies = Files.createDirectory(directory.resolve("copies"));
        try (ReceiverUnderTest agent = agent(MAKE_ONE, true)) {
            try (ControlConnection coordinator = request(agent, "java", "text")) {
                List<String> files =
                        coordinator.read(ControlMessage.RunMade.class).files();
                assertThat(files).containsExactly("receiver.npy", "sender.npy", "run.json");
                for (String file : files) {
                    FileExchange.receive(coordinator, copies.resolve(file), 1 << 20, Duration.ofSeconds(60));
                }
                assertThat(kept()).hasSize(1);
            }
            awaitNothingKept();
        }
        assertThat(copies.resolve("run.json"))
                .content()
                .contains(
                        " --requests " + directory,
                        "\"receiver\":{\"host\":\"192.0.2.7\",\"port\":5394}",
                        "\"probes\":true",
                        "\"endsAfterwards\":true");
    }

    @Test
    void endsSenderWhenCoordinatorDisconnects() throws Exception {
        try (ReceiverUnderTest agent = agent(READ + "; touch \"$d/begun\"; exec cat", true)) {
            try (ControlConnection coordinator = request(agent, "java", "text")) {
                await().atMost(60, TimeUnit.SECONDS)
                        .until(() -> kept().stream().anyMatch(run -> Files.exists(run.resolve("begun"))));
                assertThat(coordinator.peer()).isNotEmpty();
            }
            awaitNothingKept();
        }
    }

    /** The sender here ends only with its standard input, as one does that waits for a receiver. */
    @Test
    void endsSenderWhenItsRequesterDisconnects() throws Exception {
        String script = LISTEN + "cat >/dev/null; echo ended >'" + directory.resolve("ended") + "'";
        try (ReceiverUnderTest server = agent(script, false)) {
            try (ControlConnection requester =
                    ReceiverConnection.open(server.server().endpoint(), null, new ShutdownCoordinator())) {
                requester.write(new ControlMessage.OpenSender(ReceiverUnderTest.request("java", "text")));
                assertThat(requester.read(ControlMessage.SenderOpened.class).port())
                        .isEqualTo(9);
            }
            await().atMost(60, TimeUnit.SECONDS).until(() -> Files.exists(directory.resolve("ended")));
        }
    }

    /** The end of its standard input alone says that the receiver has died. */
    @Test
    void interruptsSenderByInputLine() throws Exception {
        Path input = directory.resolve("input");
        String script = LISTEN + "cat >'" + input + "'";
        try (ReceiverUnderTest server = agent(script, false)) {
            try (ControlConnection requester =
                    ReceiverConnection.open(server.server().endpoint(), null, new ShutdownCoordinator())) {
                requester.write(new ControlMessage.OpenSender(ReceiverUnderTest.request("java", "text")));
                requester.read(ControlMessage.SenderOpened.class);

                server.server().interrupt(new ControlMessage.Refused(Refusal.INTERRUPTED, "Interrupted"));
            }
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> Files.readString(input).endsWith("\n{\"type\":\"interrupt\"}\n"));
        }
    }

    @Test
    void reusesSenderIfEngineIsOutsideJvm() throws Exception {
        try (ReceiverUnderTest agent = agent(MAKE_SEVERAL, true)) {
            String[] first = record(agent, "c").split(" ", 2);
            String[] second = record(agent, "c").split(" ", 2);

            assertThat(second[0]).as("process").isEqualTo(first[0]);
            assertThat(second[1]).contains("\"engine\":\"c\"", "\"probes\":true", "\"endsAfterwards\":false");
            awaitNothingKept();
        }
    }

    @Test
    void startsNewSenderAfterFailure() throws Exception {
        try (ReceiverUnderTest agent = agent("read -r line; echo 'lagbench: The keys differ.'; exit 4", true)) {
            for (int run = 0; run < 2; run++) {
                try (ControlConnection coordinator = request(agent, "c", "text")) {
                    assertThatThrownBy(() -> coordinator.read(ControlMessage.RunMade.class))
                            .hasMessage("On the sender: The keys differ.");
                }
            }
        }
    }

    @Test
    void startsNewSenderForEachRunInJvm() throws Exception {
        try (ReceiverUnderTest agent = agent(MAKE_ONE, true)) {
            assertThat(record(agent, "java")).contains("\"endsAfterwards\":true");
        }
    }

    /** Requests a run, and returns its record. */
    private String record(ReceiverUnderTest agent, String engine) throws Exception {
        Path copies = Files.createTempDirectory(directory, "copies");
        try (ControlConnection coordinator = request(agent, engine, "text")) {
            for (String file : coordinator.read(ControlMessage.RunMade.class).files()) {
                FileExchange.receive(coordinator, copies.resolve(file), 1 << 20, Duration.ofSeconds(60));
            }
        }
        return Files.readString(copies.resolve("run.json"));
    }

    @Test
    void reportsWhyRunFailed() throws Exception {
        try (ReceiverUnderTest agent = agent("echo 'lagbench: The keys differ.'; exit 4", true);
                ControlConnection coordinator = request(agent, "java", "text")) {
            assertThatThrownBy(() -> coordinator.read(ControlMessage.RunMade.class))
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Refusal.KEY))
                    .hasMessage("On the sender: The keys differ.");
        }
    }

    @Test
    void reportsThatRunHasNoFiles() throws Exception {
        try (ReceiverUnderTest agent = agent(READ, true);
                ControlConnection coordinator = request(agent, "java", "text")) {
            assertThatThrownBy(() -> coordinator.read(ControlMessage.RunMade.class))
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Refusal.FILES))
                    .hasMessageMatching("The sender's files in .*/run cannot be read: .*");
        }
    }

    @Test
    void refusesWithoutAgentMode() throws Exception {
        assertThat(refusal(false, "text")).contains("does not allow send-to-others with this key");
        assertThat(kept()).isEmpty();
    }

    /** Whether an address or a name exists in the agent's network must not change what the coordinator reads. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:OPEN", "127.0.0.1:1", "192.0.2.7:22", "192.0.2.8:5394", "name.invalid:5394"})
    void callsOnlySitesOfItsUser(String receiver) throws Exception {
        try (ReceiverUnderTest agent = agent("touch '" + directory.resolve("started") + "'", true);
                ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ControlConnection coordinator =
                        ReceiverConnection.open(agent.server().endpoint(), null, new ShutdownCoordinator())) {
            String named = receiver.replace("OPEN", Integer.toString(open.getLocalPort()));
            coordinator.write(new ControlMessage.MakeRun(named, ReceiverUnderTest.request("java", "text")));

            assertThat(coordinator.read(ControlMessage.Refused.class))
                    .isEqualTo(new ControlMessage.Refused(
                            Refusal.RUN,
                            "The agent does not send to " + named
                                    + "; add it there to the hosts in lagbench serve --site."));
        }
        assertThat(directory.resolve("started")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/hostname", "./key", "text+/etc/hostname", "key/"})
    void sendsNoFileOfThisHost(String data) throws Exception {
        assertThat(refusal(true, data)).contains("sends no file of its host; request generated data");
        try (ReceiverUnderTest server = agent("touch '" + directory.resolve("started") + "'", false)) {
            assertThat(server.refusalOfSender(ReceiverUnderTest.request("java", data)))
                    .contains("sends no file of its host");
        }
        assertThat(directory.resolve("started")).doesNotExist();
    }

    /** Else who may request packets could have them sent to any host. */
    @Test
    void refusesDestinationThatRequestNames() throws Exception {
        RunRequest request = ReceiverUnderTest.request("udp", Map.of("via", "192.0.2.9:9000"));
        String refusal =
                "The receiver's host sends packets only to the host that requested the run, not to 192.0.2.9:9000";
        try (ReceiverUnderTest agent = agent("touch '" + directory.resolve("started") + "'", true);
                ControlConnection coordinator =
                        ReceiverConnection.open(agent.server().endpoint(), null, new ShutdownCoordinator())) {
            coordinator.write(new ControlMessage.MakeRun(SITE, request));
            assertThat(coordinator.read(ControlMessage.Refused.class).text()).contains(refusal);
        }
        try (ReceiverUnderTest server = agent("touch '" + directory.resolve("started") + "'", false)) {
            assertThat(server.refusalOfSender(request)).contains(refusal);
        }
        assertThat(directory.resolve("started")).doesNotExist();
    }

    private String refusal(boolean isAgent, String data) throws Exception {
        try (ReceiverUnderTest agent = agent("touch '" + directory.resolve("started") + "'", isAgent);
                ControlConnection coordinator = request(agent, "java", data)) {
            String text = coordinator.read(ControlMessage.Refused.class).text();
            assertThat(directory.resolve("started")).doesNotExist();
            return text;
        }
    }

    private ReceiverUnderTest agent(String script, boolean isAgent) throws Exception {
        Path runs = directory.resolve("agent");
        return new ReceiverUnderTest(
                runs,
                Long.MAX_VALUE,
                new SenderPrograms(List.of("sh", "-c", script, "sh"), null, Endpoint.parse("127.0.0.1:1")),
                new Access(
                        Access.of(null, isAgent ? EnumSet.allOf(Access.Grant.class) : Access.Grant.DEFAULT)
                                .permissions(),
                        Set.of(Endpoint.parse(SITE))));
    }

    private static ControlConnection request(ReceiverUnderTest agent, String engine, String data) throws Exception {
        ControlConnection coordinator =
                ReceiverConnection.open(agent.server().endpoint(), null, new ShutdownCoordinator());
        coordinator.write(new ControlMessage.MakeRun(SITE, ReceiverUnderTest.request(engine, data)));
        return coordinator;
    }

    private List<Path> kept() throws IOException {
        Path runs = directory.resolve("agent");
        if (!Files.exists(runs)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(runs)) {
            return entries.toList();
        }
    }

    private void awaitNothingKept() {
        await().atMost(60, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(kept()).isEmpty());
    }
}
