package org.lagbench.cli;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Adds {@code --help} and the exit codes to commands. Picocli breaks lines inside of options and file names, so it
 * renders lines without limit, which {@link HelpText} then breaks at spaces.
 */
final class Help {
    /** More than the longest description has. */
    private static final int UNLIMITED = 4_000;

    private Help() {}

    /** Adds the option, the headings, the exit codes and the terminal's width to a command and its subcommands. */
    static void addTo(CommandLine command) {
        addOptions(command);
        Map<String, IHelpSectionRenderer> sections = new HashMap<>(command.getHelpSectionMap());
        sections.replaceAll((key, section) -> help -> {
            String text = section.render(help);
            return switch (key) {
                case UsageMessageSpec.SECTION_KEY_SYNOPSIS ->
                    HelpText.wrapSynopsis(text, help.synopsisHeadingLength(), Terminal.outputColumns());
                case UsageMessageSpec.SECTION_KEY_FOOTER -> HelpText.wrapExamples(text, Terminal.outputColumns());
                default -> HelpText.wrap(text, Terminal.outputColumns());
            };
        });
        command.setHelpSectionMap(sections);
    }

    private static void addOptions(CommandLine command) {
        Map<String, String> exitCodes = new LinkedHashMap<>();
        for (ExitCode exitCode : ExitCode.values()) {
            exitCodes.put(Integer.toString(exitCode.code()), exitCode.meaning());
        }
        CommandSpec spec = command.getCommandSpec();
        boolean hasExamples = spec.usageMessage().footer().length > 0;
        spec.usageMessage()
                .width(UNLIMITED)
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
