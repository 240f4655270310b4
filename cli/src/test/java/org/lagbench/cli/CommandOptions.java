package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The options of commands, which the checks of the documentation read from {@code options.txt}. */
public final class CommandOptions {
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*[a-z]");

    private CommandOptions() {}

    /** Returns a line for each command on the class path with the options that its help names. */
    static String ofAll() {
        return options("lagbench", lagbench());
    }

    /**
     * Returns the line of a command of an extension, and writes it to the extension's file if
     * {@code lagbench.write-reference} is set.
     */
    public static String of(String command) throws IOException {
        CommandLine line = Objects.requireNonNull(lagbench().getSubcommands().get(command), command);
        String text = options("lagbench " + command, line);
        if (Boolean.getBoolean("lagbench.write-reference")) {
            Files.writeString(Path.of("options.txt"), text);
        }
        return text;
    }

    private static CommandLine lagbench() {
        return Lagbench.commandLine(new ShutdownCoordinator());
    }

    private static String options(String name, CommandLine command) {
        String own = OPTION.matcher(command.getUsageMessage(Ansi.OFF))
                .results()
                .map(MatchResult::group)
                .distinct()
                .sorted()
                .collect(Collectors.joining(" "));
        StringBuilder text = new StringBuilder(name + ": " + own + "\n");
        new LinkedHashMap<>(command.getSubcommands())
                .forEach((subcommand, line) -> text.append(options(name + " " + subcommand, line)));
        return text.toString();
    }
}
