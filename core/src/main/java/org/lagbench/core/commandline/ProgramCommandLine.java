package org.lagbench.core.commandline;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** The command line of a program that stands alone, as sender and receiver do. */
public final class ProgramCommandLine {
    private ProgramCommandLine() {}

    /**
     * What reads it: with {@code --help}, and with failures told as every program tells them.
     *
     * @param program picocli's command, which has the name of its script
     */
    public static CommandLine of(Object program) {
        CommandLine commandLine = new CommandLine(program)
                .setParameterExceptionHandler((mistake, given) -> tell(mistake))
                .setExecutionExceptionHandler((failure, failed, parsed) -> Failures.tell(failure));
        commandLine
                .getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("Print this help and exit.")
                        .build());
        return commandLine;
    }

    private static int tell(ParameterException mistake) {
        System.err.println("lagbench: " + mistake.getMessage());
        System.err.println("See: scripts/" + mistake.getCommandLine().getCommandName() + " --help");
        return ExitCode.USAGE.code();
    }
}
