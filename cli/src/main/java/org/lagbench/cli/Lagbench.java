package org.lagbench.cli;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The {@code lagbench} command; each subcommand is a class. */
@Command(
        name = "lagbench",
        description =
                "A test bench for real-time multimedia transport: how long packets take over TCP, UDP and IEEE-1394.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench doctor                          what this machine has, and what to do about the rest",
            "  lagbench sweep configs/quickstart.yaml   three network types, three packet sizes, a minute",
            "  lagbench help sweep                      all about one command"
        })
public final class Lagbench {
    /** In the order of the help; each has the name of its class, but for "Command". */
    private static final List<Class<?>> SUBCOMMANDS = List.of(
            SweepCommand.class,
            TuneCommand.class,
            TableCommand.class,
            ExportCommand.class,
            ReportCommand.class,
            FiguresCommand.class,
            ClockCommand.class,
            DoctorCommand.class,
            BusCommand.class,
            LabCommand.class,
            CompletionCommand.class,
            HelpCommand.class);

    /** Those that know of the others. */
    private static final Set<Class<?>> OVERVIEWS = Set.of(CompletionCommand.class, HelpCommand.class);

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "When something fails, print where in the program as well.")
    private boolean stacktrace;

    private final ShutdownCoordinator interruption;

    private Lagbench(ShutdownCoordinator interruption) {
        this.interruption = interruption;
    }

    /** Runs the command and ends the JVM with its exit code, one of {@link ExitCode}. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(interruption ->
                StandardOutput.arrived(commandLine(interruption, arguments).execute(arguments)));
    }

    /**
     * The command with the subcommand that the arguments name first, else with all: for picocli to read all their
     * options takes longer than many a command does.
     */
    static CommandLine commandLine(ShutdownCoordinator interruption, String... arguments) {
        Lagbench lagbench = new Lagbench(interruption);
        CommandLine commandLine = new CommandLine(lagbench);
        List<Class<?>> named = SUBCOMMANDS.stream()
                .filter(command -> arguments.length > 0
                        && !OVERVIEWS.contains(command)
                        && command.getSimpleName().equalsIgnoreCase(arguments[0] + "Command"))
                .toList();
        (named.isEmpty() ? SUBCOMMANDS : named).forEach(commandLine::addSubcommand);
        commandLine
                .getCommandSpec()
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("Print the version and exit.")
                        .build());
        Help.prepare(commandLine);
        // What follows the name of the program that is to run on the bus, or in a lab, is that program's own.
        commandLine.getSubcommands().values().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.getSubcommands().values().stream()))
                .filter(command ->
                        command.getCommand() instanceof BusCommand || command.getCommand() instanceof LabCommand.Exec)
                .forEach(command -> command.setStopAtPositional(true));
        commandLine.setParameterExceptionHandler(ErrorPrinter::wrongCommandLine);
        commandLine.setExecutionExceptionHandler(
                (failure, command, parsed) -> ErrorPrinter.failed(failure, command, lagbench.stacktrace));
        return commandLine;
    }

    /** By which a command hears of Ctrl-C and SIGTERM. */
    ShutdownCoordinator interruption() {
        return interruption;
    }
}
