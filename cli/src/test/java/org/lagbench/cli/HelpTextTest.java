package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lagbench.commandline.HelpText;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine.Help.Ansi;

class HelpTextTest {
    @Test
    void alignsDescriptionsAndBreaksNoWord() {
        assertThat(HelpText.wrap("  -o, --out=DIR   See docs/reference/live.md or 127.0.0.1:5394.\nShort.\n", 40))
                .isEqualTo(
                        """
                          -o, --out=DIR   See
                                          docs/reference/live.md
                                          or 127.0.0.1:5394.
                        Short.
                        """);
    }

    @Test
    void alignsDescriptionAfterOneSpace() {
        assertThat(HelpText.wrap("  -a   One.\n  -b   Two.\n  -ccc Three four five.\n", 18))
                .endsWith("  -ccc Three four\n       five.\n");
    }

    @Test
    void keepsWordsThatAreTooLong() {
        assertThat(HelpText.wrap("a " + "b".repeat(60) + " c", 40)).isEqualTo("a\n" + "b".repeat(60) + "\nc");
    }

    @Test
    void ignoresStyleCodesInWidth() {
        String styled = "\u001B[1mlagbench\u001B[21m\u001B[0m table";
        assertThat(HelpText.wrap(styled, 14)).isEqualTo(styled);
    }

    @Test
    void alignsSynopsis() {
        assertThat(HelpText.wrapSynopsis("lagbench lab up [-h] [--format=FORMAT[,FORMAT...]] DIR\n", 7, 50))
                .isEqualTo(
                        """
                        lagbench lab up [-h]
                                               [--format=FORMAT[,FORMAT...]]
                                               DIR
                        """);
    }

    @Test
    void breaksExamplesBeforeOptionsAndNotInQuotes() {
        assertThat(HelpText.wrapExamples("  lagbench table DIR --require 'lag.q99 <= 2 ms' --junit lag.xml\n", 46))
                .isEqualTo(
                        """
                          lagbench table DIR \\
                              --require 'lag.q99 <= 2 ms' \\
                              --junit lag.xml
                        """);
    }

    @Test
    void helpFitsEightyColumns() {
        Lagbench.commandLine(new ShutdownCoordinator()).getSubcommands().forEach((name, command) -> {
            String help = command.getUsageMessage(Ansi.OFF);
            int examples = help.indexOf("Examples:");
            assertThat((examples < 0 ? help : help.substring(0, examples)).lines())
                    .as(name)
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        });
    }
}
