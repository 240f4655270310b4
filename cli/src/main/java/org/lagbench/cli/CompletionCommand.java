package org.lagbench.cli;

import org.lagbench.core.failure.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code lagbench completion}: the completion script for bash and zsh. */
@Listed(in = HelpSection.SHELL, order = 0)
@Command(
        name = "completion",
        description = "Print a script with which bash and zsh complete the commands and options of lagbench.",
        footer = {
            "  source <(lagbench completion)               only this shell",
            "  mkdir -p ~/.local/share/bash-completion/completions",
            "  lagbench completion >~/.local/share/bash-completion/completions/lagbench"
        })
public final class CompletionCommand extends Subcommand {
    @Override
    public Integer call() {
        String script = AutoComplete.bash("lagbench", commandLine().getParent());
        // no space after a completed key of --set, because its value follows "="
        out().println(script.replace("--set)\n", "--set)\n        type compopt &>/dev/null && compopt -o nospace\n"));
        return ExitCode.OK.code();
    }
}
