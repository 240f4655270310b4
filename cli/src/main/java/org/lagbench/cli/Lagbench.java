package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.lagbench.commandline.HelpText;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.run.LagbenchVersion;
import org.lagbench.core.text.Suggestion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code lagbench} command; each subcommand is a class. */
@Command(
        name = "lagbench",
        description =
                "Measures the one-way delay of every packet over TCP, UDP, QUIC, SRT, RIST and IEEE-1394, and shows"
                        + " what delayed the slow ones.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "  lagbench doctor                          check whether this machine is fit for measurements",
            "  lagbench run udp                         one measurement on this machine",
            "  lagbench ping 192.0.2.7                  ten round trips to another machine, a line for each",
            "  lagbench serve --new-key                 the other side of lagbench run udp HOST on another machine",
            "  lagbench sweep configs/quickstart.yaml   three network types, three packet sizes, a minute",
            "  lagbench help sweep                      the options of one command"
        })
public final class Lagbench {
    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "Also print the stack trace of a failure.")
    private boolean stacktrace;

    private final ShutdownCoordinator shutdown;

    private Lagbench(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    /** Runs the command and exits with its code, one of {@link ExitCode}. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(shutdown ->
                Terminal.checkOutput(commandLine(shutdown, arguments).execute(arguments)));
    }

    /**
     * Returns the command with only the subcommand that the first argument names, without any for the version, else
     * with all. Parsing the annotations of all subcommands takes longer than many commands run.
     */
    static CommandLine commandLine(ShutdownCoordinator shutdown, String... arguments) {
        Lagbench lagbench = new Lagbench(shutdown);
        CommandLine commandLine = new CommandLine(lagbench);
        List<Class<?>> subcommands = subcommands(arguments);
        subcommands.forEach(commandLine::addSubcommand);
        List<String> given = subcommands.size() > 1 ? List.of("--help") : List.of(arguments);
        for (CommandLine each : commandLine.getSubcommands().values()) {
            if (each.getCommand() instanceof Subcommand subcommand) {
                subcommand.addOptions(given);
            }
        }
        commandLine
                .getCommandSpec()
                .versionProvider(
                        () -> new String[] {"lagbench " + LagbenchVersion.number() + ", " + LagbenchVersion.build()})
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("Print the version and exit.")
                        .build());
        addHelp(commandLine);
        commandLine.registerConverter(Long.class, Lagbench::wholeNumber);
        commandLine.getCommandSpec().usageMessage().commandListHeading("");
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Lagbench::groupedCommands);
        HelpText.addTo(commandLine, Terminal::outputColumns);
        Terminal.setTextColumns();
        // The options after the name of a program to run on the bus, or in a lab, are that program's.
        commandLine.getSubcommands().values().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.getSubcommands().values().stream()))
                .filter(command -> List.of("bus", "exec").contains(command.getCommandName()))
                .forEach(command -> command.setStopAtPositional(true));
        commandLine.setParameterExceptionHandler(ErrorPrinter::invalidCommandLine);
        commandLine.setExecutionExceptionHandler(
                (failure, command, parsed) -> ErrorPrinter.failed(failure, command, lagbench.stacktrace));
        return commandLine;
    }

    private static List<Class<?>> subcommands(String... arguments) {
        List<Class<?>> subcommands = new ArrayList<>();
        String first = arguments.length == 0 ? "" : arguments[0];
        if (arguments.length == 1 && first.equals("--version")) {
            return subcommands;
        }
        Subcommands.search(first)
                .filter(named -> named.section() != HelpSection.SHELL) // which need all others
                .ifPresent(named -> subcommands.add(named.type()));
        if (subcommands.isEmpty()) {
            Subcommands.load().all().forEach(each -> subcommands.add(each.type()));
            subcommands.add(HelpCommand.class);
        }
        return subcommands;
    }

    /** Returns the coordinator that notifies the commands of Ctrl-C and SIGTERM. */
    ShutdownCoordinator shutdown() {
        return shutdown;
    }

    private static Long wholeNumber(String text) {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number");
        }
    }

    private static String groupedCommands(CommandLine.Help help) {
        if (help.commandSpec().parent() != null) {
            return help.commandList();
        }
        Subcommands subcommands = Subcommands.load();
        StringBuilder text = new StringBuilder();
        for (HelpSection section : HelpSection.values()) {
            text.append(System.lineSeparator())
                    .append(section.heading())
                    .append(':')
                    .append(System.lineSeparator());
            help.commandList()
                    .lines()
                    .filter(line -> subcommands.sectionOf(line.strip().split(" ", 2)[0]) == section)
                    .forEach(line -> text.append(line).append(System.lineSeparator()));
        }
        return text.toString();
    }

    /** Adds {@code --help} and the headings to a command and its subcommands, and the exit codes to the first. */
    private static void addHelp(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        Map<String, String> exitCodes = new LinkedHashMap<>();
        for (ExitCode exitCode : spec.parent() == null ? ExitCode.values() : new ExitCode[0]) {
            exitCodes.put(Integer.toString(exitCode.code()), exitCode.meaning());
        }
        boolean hasExamples = spec.usageMessage().footer().length > 0;
        spec.usageMessage()
                .sortOptions(spec.parent() == null)
                .footerHeading(hasExamples ? "%nExamples:%n" : "")
                .exitCodeListHeading(exitCodes.isEmpty() ? "" : "%nExit codes:%n")
                .exitCodeList(exitCodes);
        if (spec.findOption("--help") == null) {
            spec.addOption(OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Print this help and exit.")
                    .build());
        }
        command.getSubcommands().values().forEach(Lagbench::addHelp);
    }

    /** Prints a failure as one sentence on standard error and returns its exit code. */
    private static final class ErrorPrinter {
        private ErrorPrinter() {}

        /** Reports an invalid command line; prints the usage if there were no arguments. */
        static int invalidCommandLine(ParameterException failure, String[] arguments) {
            CommandLine command = failure.getCommandLine();
            PrintWriter err = Terminal.writer(command.getErr(), false);
            if (arguments.length == 0) {
                command.usage(command.getErr());
                return ExitCode.USAGE.code();
            }
            boolean mayBeIperf =
                    command.getParent() == null || command.getCommandName().equals("run");
            Optional<String> iperf = mayBeIperf ? IperfArguments.translate(List.of(arguments)) : Optional.empty();
            err.println("lagbench: "
                    + iperf.orElseGet(() -> failure instanceof UnmatchedArgumentException unmatched
                            ? unmatched(command.getCommandSpec(), unmatched)
                            : failure.getMessage()));
            err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
            return ExitCode.USAGE.code();
        }

        /**
         * Names the nearest option or command; picocli's own suggestions miss swapped letters and list unlike names.
         */
        private static String unmatched(CommandSpec command, UnmatchedArgumentException failure) {
            String word = failure.getUnmatched().get(0).replaceFirst("(?<=^-.{0,64})=.*", "");
            boolean isOption = failure.isUnknownOption();
            if (!isOption && command.subcommands().isEmpty()) {
                return "\"" + UntrustedText.escape(word) + "\" is one argument too many.";
            }
            String withoutSection = "--" + word.substring(word.lastIndexOf('.') + 1);
            Set<String> known = isOption
                    ? command.optionsMap().keySet()
                    : command.subcommands().keySet();
            return "There is no " + (isOption ? "option " : "command ") + UntrustedText.escape(word)
                    + Suggestion.of(known.contains(withoutSection) ? withoutSection : word, known)
                            .filter(name -> !isOption || word.startsWith("--"))
                            .map(name -> "; did you mean " + name + "?")
                            .orElse(".");
        }

        /** Reports the failure of a command. */
        static int failed(Exception failure, CommandLine command, boolean stacktrace) {
            LagbenchException reported = toLagbenchException(failure);
            PrintWriter err = Terminal.writer(command.getErr(), false);
            err.println("lagbench: " + reported.sentence());
            if (stacktrace) {
                failure.printStackTrace(err);
            }
            return reported.exitCode().code();
        }

        private static LagbenchException toLagbenchException(Throwable failure) {
            if (failure instanceof LagbenchException known) {
                return known;
            }
            if (failure instanceof UncheckedIOException wrapped && wrapped.getCause() != null) {
                return toLagbenchException(wrapped.getCause());
            }
            if (failure instanceof IOException io) {
                String file = io instanceof FileSystemException named ? named.getFile() : null;
                return ExitCode.FILES.failure(
                        file == null
                                ? "A file cannot be read or written: " + IoErrors.reason(io) + "."
                                : file + " cannot be read or written: " + IoErrors.reason(io) + ".",
                        io);
            }
            if (failure instanceof InvalidPathException invalid) {
                return ExitCode.FILES.failure("A file cannot have this name: " + invalid.getReason() + ".", invalid);
            }
            LagbenchException shortage = Failures.explain(failure);
            if (shortage != null) {
                return shortage;
            }
            return ExitCode.INTERNAL.failure(
                    "Internal error: " + failure
                            + ". Please report it with the output of the same command with --stacktrace.",
                    failure);
        }
    }
}
