package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine.Model.OptionSpec;

class HelpTest {
    private static final Pattern COMMAND = Pattern.compile("(?m)^  ([a-z]+)  ");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void printsExamplesOfEveryCommandAndExitCodesOnce() throws Exception {
        String help = help();
        String joinedHelp = help.replaceAll("\\s+", " ");
        for (ExitCode exitCode : ExitCode.values()) {
            assertThat(joinedHelp).contains(" " + exitCode.code() + " " + exitCode.meaning() + " ");
        }
        assertThat(help.lines().filter(line -> line.startsWith("Commands "))).hasSize(4);
        String commands = help.substring(help.indexOf("Commands "), help.indexOf("Exit codes:"));
        List<String> names = COMMAND.matcher(commands)
                .results()
                .map(MatchResult::group)
                .map(String::strip)
                .filter(name -> !name.equals("help"))
                .toList();
        Set<String> all =
                Lagbench.commandLine(new ShutdownCoordinator()).getSubcommands().keySet();
        assertThat(names).hasSize(all.size() - 1).allMatch(all::contains).doesNotHaveDuplicates();
        for (String name : names) {
            assertThat(help(name))
                    .as(name)
                    .contains("Examples:", "lagbench " + name)
                    .doesNotContain("Exit codes:", "Commands that measure:");
        }
        assertThat(help("lab")).contains("Commands:", "  up    Create a network");
    }

    @Test
    void buildsOnlyGivenOptionsOfRun() {
        assertThat(Lagbench.commandLine(new ShutdownCoordinator(), "run", "udp", "--size=24")
                        .getSubcommands()
                        .get("run")
                        .getCommandSpec()
                        .optionsMap())
                .containsKeys("--size", "--packet-bytes", "--flood")
                .doesNotContainKeys("--packets", "--interval");
    }

    @Test
    void explainsEveryOptionOfRunInASentenceWithItsDefault() throws Exception {
        List<OptionSpec> options = Lagbench.commandLine(new ShutdownCoordinator(), "run", "--help")
                .getSubcommands()
                .get("run")
                .getCommandSpec()
                .options();
        assertThat(options).hasSizeGreaterThan(60).allSatisfy(option -> assertThat(
                        String.join(" ", option.description()))
                .as(option.longestName())
                .matches("(?:[a-z0-9]+(?:, [a-z0-9]+)*: |interval, value; )?[A-Z].*\\.|.*\\(default: .*\\)\\."));
        String help = help("run").replaceAll("\\s+", " ");
        assertThat(help)
                .contains(
                        "--packets=VALUE How many packets each run records (default: 10000).",
                        "--size, --packet-bytes=VALUE Size of each packet in bytes, including its header of 24 bytes"
                                + " (default: 992).",
                        "--interval=VALUE Time between packets, or between bursts (default: 125us).",
                        "--traffic=VALUE What the runs do: one-way or round-trip or transfer (default: one-way).",
                        "--no-delay=VALUE tcp: Whether to send each packet at once, without Nagle's algorithm"
                                + " (TCP_NODELAY): true or false (default: true).");
    }

    @Test
    void hidesInternalOptions() throws Exception {
        assertThat(programHelp("org.lagbench.sender.Sender"))
                .contains("--packet-bytes")
                .doesNotContain("--beside", "--direction", "--end-with-stdin", "--print-intervals", "--wait-for-start");
        assertThat(programHelp("org.lagbench.receiver.Receiver")).contains("--listen", "--end-with-stdin");
    }

    @Test
    void printsVersion() throws Exception {
        CommandResult lagbench = CommandResult.of("--version");
        assertThat(lagbench.exitCode()).isZero();
        assertThat(lagbench.out()).matches("lagbench \\d+\\.\\d+\\.\\d+, commit \\S+, built with Java [\\d.]+\\R");
    }

    @Test
    void failsWhenOutputCannotBeWritten() throws Exception {
        Process lagbench = new ProcessBuilder(LagbenchProcess.command(List.of(), "--version"))
                .redirectOutput(new File("/dev/full"))
                .start();
        String err = new String(lagbench.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(lagbench.waitFor()).isEqualTo(ExitCode.FILES.code());
        assertThat(err).startsWith("lagbench: The standard output").hasLineCount(1);
    }

    @Test
    void ignoresClosedPipe() throws Exception {
        Process lagbench = new ProcessBuilder(LagbenchProcess.command(List.of(), "--help")).start();
        lagbench.getInputStream().close();
        String err = new String(lagbench.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(lagbench.waitFor()).isZero();
        assertThat(err).isEmpty();
    }

    @Test
    void printsUsageWithoutArguments() throws Exception {
        CommandResult lagbench = CommandResult.of();
        assertThat(lagbench.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(lagbench.err()).contains("Usage: lagbench", "Commands that measure:");
    }

    @Test
    void rejectsUnknownOption() throws Exception {
        CommandResult lagbench = CommandResult.of("table", "--fromat", "csv");
        assertThat(lagbench.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(lagbench.err())
                .contains("--fromat")
                .contains("lagbench table --help")
                .doesNotContain("\tat ");
    }

    @Test
    void completesCommandsAndOptionsInBash() throws Exception {
        Path script = directory.resolve("completion.bash");
        CommandResult lagbench = CommandResult.of("completion");
        assertThat(lagbench.exitCode()).isZero();
        Files.writeString(script, lagbench.out());
        assertThat(completions(script, "sw")).containsExactly("sweep");
        assertThat(completions(script, "sweep", "--res")).containsExactly("--resume");
        assertThat(completions(script, "table", "--format", "la")).containsExactly("latex");
        assertThat(completions(script, "table", "--clock", "c")).containsExactly("corrected");
        assertThat(completions(script, "sweep", "--set", "udp.receive-b")).containsExactly("udp.receive-buffer=");
    }

    private String help(String... command) throws IOException, InterruptedException {
        String[] arguments = command.length == 0 ? new String[] {"--help"} : new String[] {command[0], "--help"};
        CommandResult lagbench = CommandResult.of(arguments);
        assertThat(lagbench.exitCode()).isZero();
        return lagbench.out();
    }

    /** Returns the help of a program that is started separately. */
    static String programHelp(String mainClass) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(LagbenchProcess.command(List.of(), "--help"));
        command.set(command.indexOf("org.lagbench.cli.Lagbench"), mainClass);
        Process program = new ProcessBuilder(command).start();
        String help = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).isZero();
        return help;
    }

    /** Returns the completions of bash after {@code lagbench words…}. */
    private static List<String> completions(Path script, String... words) throws IOException, InterruptedException {
        String ask = "source " + script + "; COMP_WORDS=(lagbench " + String.join(" ", words) + "); COMP_CWORD="
                + words.length + "; _complete_lagbench; printf '%s\\n' \"${COMPREPLY[@]}\"";
        Process bash = new ProcessBuilder("bash", "-c", ask).start();
        String reply = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        return reply.lines().map(String::strip).toList();
    }
}
