package org.lagbench.cli;

import java.util.concurrent.Callable;
import org.lagbench.core.failure.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lagbench completion}: the script that lets a shell complete lagbench's commands and options. */
@Command(
        name = "completion",
        description = "Print a script by which bash and zsh complete lagbench's commands and options.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  source <(lagbench completion)                                        this shell only",
            "  lagbench completion > ~/.local/share/bash-completion/completions/lagbench   every new bash"
        })
final class CompletionCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine()
                .getOut()
                .println(AutoComplete.bash("lagbench", spec.root().commandLine()));
        return ExitCode.OK.code();
    }
}
