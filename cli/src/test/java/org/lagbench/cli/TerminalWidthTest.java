package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.report.table.Views;
import picocli.CommandLine;

/** Runs commands on a terminal, all of one width in one other JVM. */
@Tag("night")
@Tag("one-java")
class TerminalWidthTest {
    private static final int COLUMNS = 80;
    private static final Pattern STYLE = Pattern.compile("\u001B\\[[0-9;]*m");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void fitsHelpOfEveryCommandAndTableOfEveryView() throws Exception {
        List<String> helps = commands("", Lagbench.commandLine(new ShutdownCoordinator())).stream()
                .filter(command -> !command.startsWith("help"))
                .map(command -> (command + " --help").strip())
                .toList();
        assertThat(helps).contains("--help", "run --help", "lab show --help");
        Path packets = sweep("packets", "traffic=round-trip");
        Path transfers = sweep("transfers", "traffic=transfer", "transfer-bytes=1000", "transports=tcp");
        List<String> tables = Stream.of(packets, transfers)
                .flatMap(session -> Views.load().all().stream()
                        .filter(view -> !view.isComparison() || session.equals(packets))
                        .map(view -> "table " + session + " --view " + view.name()
                                + (view.isComparison() ? " --between transport" : "")))
                .toList();
        List<String> all = Stream.concat(helps.stream(), tables.stream()).toList();
        Map<String, List<String>> screens = onTerminal(COLUMNS, all);
        assertThat(screens).hasSameSizeAs(all);
        assertThat(screens.get("run --help")).anyMatch(line -> line.startsWith("Usage: lagbench run"));
        assertThat(screens.get(tables.get(0))).anyMatch(line -> line.contains("Inter-packet delay"));
        assertThat(tooLong(screens)).isEmpty();
        List<String> wide = tables.stream()
                .filter(table -> table.contains(packets.toString()))
                .toList();
        assertThat(onTerminal(160, wide).values().stream().flatMap(List::stream))
                .anyMatch(line -> line.length() > 120)
                .noneMatch(line -> line.length() > 160);
    }

    private Path sweep(String name, String... values) throws Exception {
        Sweeps sweeps = new Sweeps(Files.createDirectory(directory.resolve(name)));
        List<String> options = new ArrayList<>(List.of("--no-report"));
        Stream.of(values).forEach(value -> options.addAll(List.of("--set", value)));
        try (LagbenchThread sweep = sweeps.startHere(Sweeps.TINY, options.toArray(String[]::new))) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        return sweeps.session();
    }

    private static List<String> commands(String name, CommandLine command) {
        List<String> names = new ArrayList<>(List.of(name));
        command.getSubcommands().forEach((sub, inner) -> names.addAll(commands((name + " " + sub).strip(), inner)));
        return names;
    }

    /** Returns the lines of each command, without styles and the path of the session, which can have any length. */
    private Map<String, List<String>> onTerminal(int columns, List<String> commands) throws Exception {
        Path list = Files.write(directory.resolve("commands.txt"), commands);
        List<String> main = Distribution.command(Distribution.testOptions(), Commands.class.getName(), list.toString());
        Process script = new ProcessBuilder(
                        "env",
                        "-u",
                        "COLUMNS",
                        "TERM=xterm",
                        "setsid",
                        "script",
                        "-qec",
                        "stty cols " + columns + " rows 24; PATH= exec '" + String.join("' '", main)
                                + "'", // the width needs no other program
                        "/dev/null")
                .redirectErrorStream(true)
                .start();
        String screen = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor()).as(screen).isZero();
        Map<String, List<String>> screens = new TreeMap<>();
        List<String> lines = new ArrayList<>();
        for (String line : screen.lines()
                .map(STYLE::matcher)
                .map(styled -> styled.replaceAll(""))
                .toList()) {
            if (line.startsWith(Commands.MARK)) {
                lines = new ArrayList<>();
                screens.put(line.substring(Commands.MARK.length()), lines);
            } else {
                lines.add(line);
            }
        }
        return screens;
    }

    private static List<String> tooLong(Map<String, List<String>> screens) {
        Predicate<String> isTooLong = line -> line.codePointCount(0, line.length()) > COLUMNS;
        return screens.entrySet().stream()
                .flatMap(screen ->
                        screen.getValue().stream().filter(isTooLong).map(line -> screen.getKey() + ": " + line))
                .toList();
    }

    /** Runs the commands of a file, each after a line with its name. */
    static final class Commands {
        static final String MARK = "### ";

        private Commands() {}

        public static void main(String[] arguments) throws Exception {
            for (String command : Files.readAllLines(Path.of(arguments[0]))) {
                System.out.println(MARK + command);
                String[] words = command.split(" ", -1);
                Lagbench.commandLine(new ShutdownCoordinator(), words).execute(words);
            }
        }
    }
}
