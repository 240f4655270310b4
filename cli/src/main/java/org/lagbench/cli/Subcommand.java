package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A subcommand of {@code lagbench}, of the base or of an extension. Registered by a line in
 * {@code META-INF/services/org.lagbench.cli.Subcommand}. Implementations are {@link Listed}, and have a public
 * constructor without arguments.
 */
public abstract class Subcommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    final CommandLine commandLine() {
        return spec.commandLine();
    }

    /** Returns the command's standard output, which flushes after each line. */
    protected final PrintWriter out() {
        return Terminal.writer(commandLine().getOut(), Terminal.isOutputColored());
    }

    /** Returns the command's standard error, which flushes after each line. */
    protected final PrintWriter err() {
        return Terminal.writer(commandLine().getErr(), false);
    }

    /**
     * Adds options that no annotation declares.
     *
     * @param arguments the command line, of which some options may follow
     */
    void addOptions(List<String> arguments) {}

    /** Prints the usage of a command that needs another one after it. */
    final int usage() {
        commandLine().usage(err());
        return ExitCode.USAGE.code();
    }

    /** Prints a text that may end without a line feed. */
    final void print(String text) {
        PrintWriter out = out();
        out.print(text);
        out.flush();
    }

    protected final ShutdownCoordinator shutdown() {
        return ((Lagbench) spec.root().userObject()).shutdown();
    }

    /**
     * Requires that an argument is valid.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} and the sentence if it is not
     */
    protected static void require(boolean isValid, String sentence) throws LagbenchException {
        if (!isValid) {
            throw ExitCode.USAGE.failure(sentence);
        }
    }

    /**
     * Runs a program on this command's terminal until it ends or the command is interrupted.
     *
     * @param notStarted exit code if the program cannot be started
     * @return the program's exit code
     */
    final int runProgram(ProcessBuilder builder, ExitCode notStarted) throws LagbenchException, InterruptedException {
        Process process;
        try {
            process = builder.inheritIO().start();
        } catch (IOException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw notStarted.failure(builder.command().get(0) + " cannot be run: " + reason.getMessage() + ".", e);
        }
        shutdown().onInterrupt(process::destroy);
        return process.waitFor();
    }

    /**
     * Returns the exit code of a program of lagbench.
     *
     * @param title the subject of a message
     * @throws LagbenchException if a signal that it does not handle ended it
     */
    static int requireNotKilled(String title, int exitCode) throws LagbenchException {
        ExitCode outcome = ExitCode.ofProcess(exitCode);
        if (outcome.code() != exitCode && outcome != ExitCode.INTERRUPTED) {
            throw outcome.failure(title + " ended " + ChildFailure.ending(exitCode, "") + ".");
        }
        return outcome.code();
    }
}
