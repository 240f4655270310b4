package org.lagbench.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine;

/**
 * The output and exit code of a lagbench command in this JVM, for commands that get no signals. Paths in the arguments
 * are absolute.
 */
public record CommandResult(int exitCode, String out, String err) {
    /** Runs {@code lagbench arguments…}. */
    public static CommandResult of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = execute(out, err, arguments);
        return new CommandResult(exitCode, out.toString(), err.toString());
    }

    /** Runs {@code lagbench arguments…} with these writers as standard output and standard error. */
    static int execute(StringWriter out, StringWriter err, String... arguments) {
        CommandLine lagbench = Lagbench.commandLine(new ShutdownCoordinator(), arguments)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true));
        return lagbench.execute(arguments);
    }
}
