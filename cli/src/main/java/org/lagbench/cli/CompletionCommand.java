package org.lagbench.cli;

import org.lagbench.core.failure.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code lagbench completion}: the completion script for bash and zsh. */
@Command(
        name = "completion",
        description = "Print a script with which bash and zsh complete the commands and options of lagbench.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(lagbench completion)                                        only this shell",
            "  lagbench completion > ~/.local/share/bash-completion/completions/lagbench   every new bash"
        })
final class CompletionCommand extends Subcommand {
    @Override
    public Integer call() {
        out().println(AutoComplete.bash("lagbench", commandLine().getParent()));
        return ExitCode.OK.code();
    }
}
