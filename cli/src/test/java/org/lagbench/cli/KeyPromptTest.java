package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Types keys at the prompt on a pseudo terminal: whatever signal comes, no part of a key is on the screen. */
@Tag("one-java")
class KeyPromptTest {
    private static final String HALF = "5e3a91";
    private static final String REST = "c07fb2";
    private static final String CTRL_C = "\u0003";
    private static final String CTRL_Z = "\u001a";
    private static final String CTRL_BACKSLASH = "\u001c";
    private static final String PROMPT = "Key of the receiver at 127\\.0\\.0\\.1:\\d+: ";
    private static final String INTERRUPTED = "<130> ";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before all tests
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static LagbenchProcess server;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static String key;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static String address;

    @BeforeAll
    static void serve() throws Exception {
        String command = "exec '" + String.join("' '", LagbenchProcess.command(List.of())) + "' \"$@\"\n";
        Files.writeString(directory.resolve("lagbench"), command);
        server = LagbenchProcess.start(directory, "serve", "--new-key", "--listen", "127.0.0.1:0");
        server.awaitOut("Press Ctrl-C");
        Matcher line = Pattern.compile("LAGBENCH_KEY=(\\p{XDigit}+) .* (127.0.0.1:\\d+)")
                .matcher(server.out());
        assertThat(line.find()).as(server.out()).isTrue();
        key = line.group(1);
        address = line.group(2);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {CTRL_C, CTRL_BACKSLASH})
    void endsAtControlCharacter(String character) throws Exception {
        try (TerminalShell shell = promptedFor("ping " + address)) {
            shell.type(HALF + character + REST);

            assertEndsHidden(shell);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void endsAtSignal(String signal) throws Exception {
        try (TerminalShell shell = promptedFor("run udp " + address)) {
            shell.type(HALF);
            LagbenchProcess.signal(shell.awaitJob("Lagbench"), signal);

            assertEndsHidden(shell);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TSTP", "STOP"})
    void asksAgainAfterStop(String signal) throws Exception {
        try (TerminalShell shell = promptedFor("ping -c 1 " + address)) {
            ProcessHandle job = shell.awaitJob("Lagbench");
            if (signal.equals("TSTP")) {
                shell.type(HALF + CTRL_Z);
            } else { // no program gets this signal, so what was typed before would be the shell's
                LagbenchProcess.signal(job, signal);
            }
            shell.awaitScreen("Stopped");
            shell.type("fg\r");
            shell.awaitScreen(PROMPT, 2);
            assertThat(TerminalShell.settings(job)).contains(" -echo ");
            shell.type(REST + "\r");
            shell.awaitScreen("The terminal: the key is not 128 random bits");
            shell.awaitScreen(PROMPT, 3);
            shell.type(key + "\r");
            shell.awaitScreen("Session: ");

            assertThat(shell.screen()).doesNotContain(HALF, REST, key);
        }
    }

    /** A JVM prints its threads then. */
    @Test
    void staysHiddenAtQuitSignal() throws Exception {
        try (TerminalShell shell = promptedFor("ping " + address)) {
            shell.type(HALF);
            LagbenchProcess.signal(shell.awaitJob("Lagbench"), "QUIT");
            shell.awaitScreen("Full thread dump");
            shell.type(REST + CTRL_C);

            shell.awaitScreen(INTERRUPTED);
            assertThat(shell.screen()).doesNotContain(HALF, REST);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%s",
                "\u001b[200~%s\u001b[201~",
                "LAGBENCH_KEY=%s",
                "  LAGBENCH_KEY=%s scripts/lagbench run udp 192.0.2.7",
            })
    void takesKeyFromPastedText(String pasted) throws Exception {
        assertThat(ReceiverAccess.keyIn(pasted.formatted(key))).isEqualTo(key);
    }

    /** As ssh and sudo do: the terminal is asked, not the standard streams. */
    @Test
    void acceptsPastedKeyWithRedirectedOutput() throws Exception {
        try (TerminalShell shell = promptedFor("ping -c 1 " + address + " >replies.txt")) {
            shell.type("\u001b[200~LAGBENCH_KEY=%s scripts/lagbench\u001b[201~\r".formatted(key));

            shell.awaitScreen("(?s)" + PROMPT + ".*<0> ");
            assertThat(shell.screen()).doesNotContain(key);
        }
    }

    @Test
    void endsAfterThreeTries() throws Exception {
        try (TerminalShell shell = promptedFor("ping -c 1 " + address)) {
            shell.type("\r");
            shell.awaitScreen("(?s)No key was typed.*" + PROMPT);
            shell.type(key.substring(1) + "\r");
            shell.awaitScreen("(?s)is not 128 random bits.*" + PROMPT);
            shell.type("0123456789abcdef0123456789abcdef\r");
            shell.awaitScreen("(?s)did not prove that it has the sender's key.*<4> ");
        }
    }

    /** Returns a shell with a command that waits at its prompt. */
    private static TerminalShell promptedFor(String arguments) throws Exception {
        TerminalShell shell = TerminalShell.start(directory);
        shell.type("bash lagbench " + arguments + "\r");
        shell.awaitScreen(PROMPT);
        return shell;
    }

    private static void assertEndsHidden(TerminalShell shell) throws Exception {
        shell.awaitScreen(INTERRUPTED);
        shell.type("stty -a\r");
        shell.awaitScreen(" echoe ");
        assertThat(shell.screen())
                .contains(" echo ", "quit = ^\\;")
                .doesNotContain(HALF, REST, "Full thread dump", "took more than");
    }
}
