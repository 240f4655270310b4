package org.lagbench.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** What the help of every command has in common: {@code --help} itself and the exit codes. */
final class Help {
    private static final int WIDTH = 110;

    private Help() {}

    /** Adds {@code -h}, {@code --help} and the exit codes to a command and all below it. */
    static void prepare(CommandLine command) {
        Map<String, String> exitCodes = new LinkedHashMap<>();
        for (ExitCode exitCode : ExitCode.values()) {
            exitCodes.put(Integer.toString(exitCode.code()), exitCode.meaning());
        }
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        usage.width(WIDTH);
        usage.abbreviateSynopsis(false);
        usage.exitCodeListHeading("%nExit codes:%n");
        usage.exitCodeList(exitCodes);
        if (command.getCommandSpec().findOption("--help") == null) {
            command.getCommandSpec()
                    .addOption(OptionSpec.builder("-h", "--help")
                            .usageHelp(true)
                            .description("Print this help and exit.")
                            .build());
        }
        command.getSubcommands().values().forEach(Help::prepare);
    }
}
