package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Turns what went wrong into one sentence on standard error and an exit code. */
final class ErrorPrinter {
    private ErrorPrinter() {}

    /** The command line made no sense. */
    static int wrongCommandLine(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        if (arguments.length == 0) {
            command.usage(err);
            return ExitCode.USAGE.code();
        }
        err.println("lagbench: " + failure.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE.code();
    }

    /** A command failed. */
    static int failed(Exception failure, CommandLine command, boolean stacktrace) {
        LagbenchException told = understood(failure);
        PrintWriter err = command.getErr();
        err.println("lagbench: " + told.sentence());
        if (stacktrace) {
            failure.printStackTrace(err);
        }
        return told.exitCode().code();
    }

    /** The failure as the user shall see it. */
    static LagbenchException understood(Throwable failure) {
        if (failure instanceof LagbenchException told) {
            return told;
        }
        if (failure instanceof UncheckedIOException wrapped && wrapped.getCause() != null) {
            return understood(wrapped.getCause());
        }
        if (failure instanceof IOException files) {
            return new LagbenchException(ExitCode.FILES, fileSentence(files), files);
        }
        return new LagbenchException(
                ExitCode.INTERNAL,
                "This is a fault of lagbench: " + failure
                        + ". Please report it with what the same command prints with --stacktrace.",
                failure);
    }

    private static String fileSentence(IOException failure) {
        String file = failure instanceof FileSystemException named ? named.getFile() : null;
        if (file == null) {
            return "A file could not be read or written: " + failure.getMessage() + ".";
        }
        return file + " cannot be read or written: " + IoErrors.reason(failure) + ".";
    }
}
