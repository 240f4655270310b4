package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.control.CaptureTransfer;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlConnection.RefusedException;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.control.Refusal;

/** Tests an agent whose sender is a shell script. The fifth argument of the script is the run's parent directory. */
@Timeout(120)
class AgentRunsTest {
    private static final String MAKE_FILES =
            "mkdir \"$5/run\"; for f in sender.npy receiver.npy run.json; do echo \"$f $*\" > \"$5/run/$f\"; done";

    /** Makes a run for each line, in whose URL encoding only the slashes of the directory differ. */
    private static final String MAKE_SEVERAL = "while read -r a b c d e; do "
            + "d=$(echo \"$d\" | sed 's:%2F:/:g'); mkdir \"$d/run\"; "
            + "for f in sender.npy receiver.npy run.json; do echo \"$$ $e\" > \"$d/run/$f\"; done; "
            + "echo run complete; done";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void sendsFilesOfBothSidesAndDeletesThem() throws Exception {
        Path copies = Files.createDirectory(directory.resolve("copies"));
        try (ReceiverUnderTest agent = agent(MAKE_FILES, true)) {
            try (ControlConnection coordinator = request(agent, "--transport=udp")) {
                List<String> files =
                        coordinator.read(ControlMessage.RunMade.class).files();
                assertThat(files).containsExactly("receiver.npy", "sender.npy", "run.json");
                for (String file : files) {
                    CaptureTransfer.receive(coordinator, copies.resolve(file), 1 << 20, Duration.ofSeconds(60));
                }
                assertThat(kept()).hasSize(1);
            }
            awaitNothingKept();
        }
        assertThat(copies.resolve("run.json"))
                .content()
                .startsWith("run.json --end-with-stdin")
                .contains("--receiver 192.0.2.7:5394 --probe --transport=udp");
    }

    @Test
    void endsSenderWhenCoordinatorIsGone() throws Exception {
        try (ReceiverUnderTest agent = agent("touch \"$5/begun\"; exec cat", true)) {
            try (ControlConnection coordinator = request(agent, "--transport=udp")) {
                await().atMost(60, TimeUnit.SECONDS)
                        .until(() -> kept().stream().anyMatch(run -> Files.exists(run.resolve("begun"))));
                assertThat(coordinator.peer()).isNotEmpty();
            }
            awaitNothingKept();
        }
    }

    @Test
    void usesSameSenderIfEngineIsOutsideJvm() throws Exception {
        try (ReceiverUnderTest agent = agent(MAKE_SEVERAL, true)) {
            String[] first = record(agent, "--engine=c").split(" ", 2);
            String[] second = record(agent, "--engine=c").split(" ", 2);

            assertThat(second[0]).as("process").isEqualTo(first[0]);
            assertThat(second[1]).isEqualTo("--receiver 192.0.2.7%3A5394 --probe --engine%3Dc\n");
            awaitNothingKept();
        }
    }

    @Test
    void startsNewSenderAfterFailure() throws Exception {
        try (ReceiverUnderTest agent = agent("read -r line; echo 'lagbench: The keys differ.'; exit 4", true)) {
            for (int run = 0; run < 2; run++) {
                try (ControlConnection coordinator = request(agent, "--engine=c")) {
                    assertThatThrownBy(() -> coordinator.read(ControlMessage.RunMade.class))
                            .hasMessage("On the sender: The keys differ.");
                }
            }
        }
    }

    @Test
    void startsNewSenderForEachRunInJvm() throws Exception {
        try (ReceiverUnderTest agent = agent(MAKE_FILES, true)) {
            assertThat(record(agent, "--engine=java")).contains("--end-with-stdin");
        }
    }

    /** Requests a run, and returns its record. */
    private String record(ReceiverUnderTest agent, String argument) throws Exception {
        Path copies = Files.createTempDirectory(directory, "copies");
        try (ControlConnection coordinator = request(agent, argument)) {
            for (String file : coordinator.read(ControlMessage.RunMade.class).files()) {
                CaptureTransfer.receive(coordinator, copies.resolve(file), 1 << 20, Duration.ofSeconds(60));
            }
        }
        return Files.readString(copies.resolve("run.json"));
    }

    @Test
    void reportsWhyRunFailed() throws Exception {
        try (ReceiverUnderTest agent = agent("echo 'lagbench: The keys differ.'; exit 4", true);
                ControlConnection coordinator = request(agent, "--transport=udp")) {
            assertThatThrownBy(() -> coordinator.read(ControlMessage.RunMade.class))
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(Refusal.KEY))
                    .hasMessage("On the sender: The keys differ.");
        }
    }

    @Test
    void refusesWithoutAgentModeOrWithUnknownOption() throws Exception {
        assertThat(refusal(false, "--transport=udp")).contains("start it with lagbench serve --agent");
        assertThat(refusal(true, "--directory=/tmp")).contains("does not accept \"--directory=/tmp\"");
        assertThat(refusal(true, "--receiver=192.0.2.8:1")).contains("does not accept");
        assertThat(kept()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--data=/etc/hostname", "--data=./key", "--data=text+/etc/hostname", "--data=key/"})
    void sendsNoFileOfThisHost(String argument) throws Exception {
        assertThat(refusal(true, argument))
                .contains(argument.substring("--data=".length()))
                .contains("sends none of its files to others; request generated data");
        try (ReceiverUnderTest server = agent("touch '" + directory.resolve("started") + "'", false)) {
            assertThat(server.refusalOfSender(argument)).contains("sends none of its files to others");
        }
        assertThat(directory.resolve("started")).doesNotExist();
    }

    private String refusal(boolean isAgent, String argument) throws Exception {
        try (ReceiverUnderTest agent = agent("touch '" + directory.resolve("started") + "'", isAgent);
                ControlConnection coordinator = request(agent, argument)) {
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
                new SenderPrograms(List.of("sh", "-c", script, "sh"), runs, null, "127.0.0.1:1", isAgent));
    }

    private static ControlConnection request(ReceiverUnderTest agent, String argument) throws Exception {
        ControlConnection coordinator = ReceiverConnection.open(agent.server().endpoint(), null);
        coordinator.write(new ControlMessage.MakeRun("192.0.2.7:5394", List.of(argument)));
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
