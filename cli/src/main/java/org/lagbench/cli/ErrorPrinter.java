package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.ForeignText;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.yaml.NearestName;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints a failure as one sentence on standard error and returns its exit code. */
final class ErrorPrinter {
    private ErrorPrinter() {}

    /** Reports an invalid command line; prints the usage if there were no arguments. */
    static int invalidCommandLine(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = PrintableWriter.over(command.getErr(), false);
        if (arguments.length == 0) {
            command.usage(command.getErr());
            return ExitCode.USAGE.code();
        }
        err.println("lagbench: "
                + (failure instanceof UnmatchedArgumentException unmatched
                        ? unmatched(command.getCommandSpec(), unmatched)
                        : failure.getMessage()));
        err.println("See: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE.code();
    }

    /** Names the nearest option or command; picocli's own suggestions miss swapped letters and list unlike names. */
    private static String unmatched(CommandSpec command, UnmatchedArgumentException failure) {
        String word = failure.getUnmatched().get(0).replaceFirst("(?<=^-.{0,64})=.*", "");
        boolean isOption = failure.isUnknownOption();
        if (!isOption && command.subcommands().isEmpty()) {
            return "\"" + ForeignText.escape(word) + "\" is one argument too many.";
        }
        return "There is no " + (isOption ? "option " : "command ") + ForeignText.escape(word)
                + NearestName.of(
                                word,
                                isOption
                                        ? command.optionsMap().keySet()
                                        : command.subcommands().keySet())
                        .filter(name -> !isOption || word.startsWith("--"))
                        .map(name -> "; did you mean " + name + "?")
                        .orElse(".");
    }

    /** Reports the failure of a command. */
    static int failed(Exception failure, CommandLine command, boolean stacktrace) {
        LagbenchException reported = toLagbenchException(failure);
        PrintWriter err = PrintableWriter.over(command.getErr(), false);
        err.println("lagbench: " + reported.sentence());
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
            return ExitCode.FILES.failure(
                    file == null
                            ? "A file cannot be read or written: " + IoErrors.reason(io) + "."
                            : file + " cannot be read or written: " + IoErrors.reason(io) + ".",
                    io);
        }
        if (failure instanceof InvalidPathException invalid) {
            return ExitCode.FILES.failure("A file cannot have this name: " + invalid.getReason() + ".", invalid);
        }
        LagbenchException shortage = Failures.explain(failure);
        if (shortage != null) {
            return shortage;
        }
        return ExitCode.INTERNAL.failure(
                "Internal error: " + failure
                        + ". Please report it with the output of the same command with --stacktrace.",
                failure);
    }
}
