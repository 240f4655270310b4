package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.LagbenchException;

/** Detects output that could not be written, because print streams do not report errors. */
final class StandardOutput {
    private StandardOutput() {}

    /** Returns the exit code of a command, or the code for a file error if its output was not written completely. */
    static int check(int exitCode) {
        if (exitCode != ExitCode.OK.code() || !System.out.checkError() || isPipe()) {
            return exitCode;
        }
        return Failures.report(new LagbenchException(
                ExitCode.FILES, "The standard output cannot be written completely; is its disk full?"));
    }

    /** A closed pipe is no error: its reader, such as head, has all the lines that it needs. */
    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException e) {
            return false; // unknown without /proc: report the failure rather than lose a table silently
        }
    }
}
