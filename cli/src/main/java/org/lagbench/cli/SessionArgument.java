package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.lagbench.analysis.session.Session;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The directory of the commands that read captures, and what else they have in common. */
final class SessionArgument {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec command;

    @Parameters(paramLabel = "DIR", description = "The session directory, its runs directory, or that of one run.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path directory;

    Path directory() {
        return directory;
    }

    /** Opens the session; from now on Ctrl-C ends the command at once, for what it makes can be made again. */
    Session open() throws LagbenchException {
        Lagbench lagbench = command.commandLine().getParent().getCommand();
        lagbench.interruption().endAtOnce();
        return Session.open(directory);
    }

    /** Where what the command tells goes. */
    PrintWriter out() {
        return command.commandLine().getOut();
    }
}
