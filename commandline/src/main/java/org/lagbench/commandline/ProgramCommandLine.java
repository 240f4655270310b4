package org.lagbench.commandline;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.UntrustedText;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The command line of a standalone program: the sender and the receiver. */
public final class ProgramCommandLine {
    private static final int COLUMNS = 80;

    private ProgramCommandLine() {}

    /**
     * Returns a parser with {@code --help}, which lists the exit codes, that reports failures as every program does.
     *
     * @param program picocli's command; its name is that of its script
     */
    public static CommandLine of(Object program) {
        CommandLine commandLine = new CommandLine(program)
                .setParameterExceptionHandler((mistake, given) -> report(mistake))
                .setExecutionExceptionHandler((failure, failed, parsed) -> Failures.report(failure));
        Map<String, String> exitCodes = new LinkedHashMap<>();
        for (ExitCode exitCode : EnumSet.complementOf(EnumSet.of(ExitCode.MISSED, ExitCode.UNDECIDED))) {
            exitCodes.put(Integer.toString(exitCode.code()), exitCode.meaning());
        }
        CommandSpec command = commandLine.getCommandSpec();
        command.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(exitCodes);
        command.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Print this help and exit.")
                .build());
        HelpText.addTo(commandLine, () -> COLUMNS);
        return commandLine;
    }

    private static int report(ParameterException mistake) {
        System.err.println("lagbench: " + UntrustedText.lines(String.valueOf(mistake.getMessage())));
        System.err.println("See: scripts/" + mistake.getCommandLine().getCommandName() + " --help");
        return ExitCode.USAGE.code();
    }
}
