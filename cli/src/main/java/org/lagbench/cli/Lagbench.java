package org.lagbench.cli;

import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Interruption;
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
        subcommands = {
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
            HelpCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench doctor                          what this machine has, and what to do about the rest",
            "  lagbench sweep configs/quickstart.yaml   three network types, three packet sizes, a minute",
            "  lagbench help sweep                      all about one command"
        })
public final class Lagbench {
    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "When something fails, print where in the program as well.")
    private boolean stacktrace;

    private final Interruption interruption;

    private Lagbench(Interruption interruption) {
        this.interruption = interruption;
    }

    /** Runs the command and ends the JVM with its exit code, one of {@link ExitCode}. */
    public static void main(String[] arguments) {
        Interruption.run(
                interruption -> StandardOutput.arrived(commandLine(interruption).execute(arguments)));
    }

    /** The command with all subcommands. */
    static CommandLine commandLine(Interruption interruption) {
        Lagbench lagbench = new Lagbench(interruption);
        CommandLine commandLine = new CommandLine(lagbench);
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
        commandLine.setParameterExceptionHandler(Complaints::wrongCommandLine);
        commandLine.setExecutionExceptionHandler(
                (failure, command, parsed) -> Complaints.failed(failure, command, lagbench.stacktrace));
        return commandLine;
    }

    /** By which a command hears of Ctrl-C and SIGTERM. */
    Interruption interruption() {
        return interruption;
    }
}
