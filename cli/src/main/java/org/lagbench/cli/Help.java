package org.lagbench.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.commandline.HelpText;
import org.lagbench.core.failure.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Adds {@code --help} and the exit codes to commands. */
final class Help {
    private Help() {}

    /** Adds the option, the headings, the exit codes and the terminal's width to a command and its subcommands. */
    static void addTo(CommandLine command) {
        addOptions(command);
        HelpText.addTo(command, Terminal::outputColumns);
    }

    private static void addOptions(CommandLine command) {
        Map<String, String> exitCodes = new LinkedHashMap<>();
        for (ExitCode exitCode : ExitCode.values()) {
            exitCodes.put(Integer.toString(exitCode.code()), exitCode.meaning());
        }
        CommandSpec spec = command.getCommandSpec();
        boolean hasExamples = spec.usageMessage().footer().length > 0;
        spec.usageMessage()
                .footerHeading(hasExamples ? "%nExamples:%n" : "")
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes);
        if (spec.findOption("--help") == null) {
            spec.addOption(OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .description("Print this help and exit.")
                    .build());
        }
        command.getSubcommands().values().forEach(Help::addOptions);
    }
}
