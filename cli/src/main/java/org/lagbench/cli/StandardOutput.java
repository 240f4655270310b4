package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.LagbenchException;

/** Whether all that was printed has arrived: print streams keep failures to themselves. */
final class StandardOutput {
    private StandardOutput() {}

    /** The exit code of a command that has printed all it had to: a table that met a full disk is none. */
    static int arrived(int exitCode) {
        if (exitCode != ExitCode.OK.code() || !System.out.checkError() || isPipe()) {
            return exitCode;
        }
        return Failures.report(new LagbenchException(
                ExitCode.FILES, "The standard output could not be written to its end; is its disk full?"));
    }

    /** A reader that has gone, as head does, has read what it wanted. */
    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException e) {
            return false; // no /proc: told rather than passed over
        }
    }
}
