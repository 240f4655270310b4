package org.lagbench.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine;

/**
 * The output and exit code of a lagbench command in this JVM, for commands without child processes and signals. Paths
 * in the arguments are absolute.
 */
record CommandResult(int exitCode, String out, String err) {
    /** Runs {@code lagbench arguments…}. */
    static CommandResult of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine lagbench = Lagbench.commandLine(ShutdownCoordinator.never(), arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        int exitCode = lagbench.execute(arguments);
        return new CommandResult(exitCode, out.toString(), err.toString());
    }
}
