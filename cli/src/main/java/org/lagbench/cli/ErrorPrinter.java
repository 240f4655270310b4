package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.MemoryShortage;
import org.lagbench.core.text.ForeignText;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Prints a failure as one sentence on standard error and returns its exit code. */
final class ErrorPrinter {
    private ErrorPrinter() {}

    /** Reports an invalid command line; prints the usage if there were no arguments. */
    static int invalidCommandLine(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        if (arguments.length == 0) {
            command.usage(err);
            return ExitCode.USAGE.code();
        }
        err.println("lagbench: " + ForeignText.lines(String.valueOf(failure.getMessage())));
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE.code();
    }

    /** Reports the failure of a command. */
    static int failed(Exception failure, CommandLine command, boolean stacktrace) {
        LagbenchException reported = toLagbenchException(failure);
        PrintWriter err = command.getErr();
        err.println("lagbench: " + ForeignText.lines(reported.sentence()));
        if (stacktrace) {
            failure.printStackTrace(err);
        }
        return reported.exitCode().code();
    }

    private static LagbenchException toLagbenchException(Throwable failure) {
        if (failure instanceof LagbenchException known) {
            return known;
        }
        if (failure instanceof UncheckedIOException wrapped && wrapped.getCause() != null) {
            return toLagbenchException(wrapped.getCause());
        }
        if (failure instanceof IOException io) {
            String file = io instanceof FileSystemException named ? named.getFile() : null;
            return new LagbenchException(
                    ExitCode.FILES,
                    file == null
                            ? "A file cannot be read or written: " + io.getMessage() + "."
                            : file + " cannot be read or written: " + IoErrors.reason(io) + ".",
                    io);
        }
        if (failure instanceof InvalidPathException invalid) {
            return new LagbenchException(
                    ExitCode.FILES, "A file cannot have this name: " + invalid.getReason() + ".", invalid);
        }
        LagbenchException shortage = MemoryShortage.explain(failure);
        if (shortage != null) {
            return shortage;
        }
        return new LagbenchException(
                ExitCode.INTERNAL,
                "Internal error: " + failure
                        + ". Please report it with the output of the same command with --stacktrace.",
                failure);
    }
}
