package org.lagbench.cli;

import java.nio.file.Path;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import picocli.CommandLine.Parameters;

/** A subcommand that reads the captures of a session. */
abstract class SessionCommand extends Subcommand {
    @Parameters(
            index = "0",
            paramLabel = "DIR",
            description = "A session directory, its runs directory, or the directory of a run.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Path directory;

    final Path directory() {
        return directory;
    }

    /**
     * Opens the session. From now on Ctrl-C and SIGTERM end the process at once, because all output can be made again;
     * no partial file remains.
     */
    final Session openSession() throws LagbenchException {
        shutdown().onInterrupt(WholeFile::deleteAllAtEnd);
        shutdown().endAtOnce();
        return Session.open(directory);
    }

    /** Returns the exit code of a summary: a file error if files are unusable and no run is left. */
    static ExitCode exitCode(Session session, Summary summary) {
        boolean isUnusable =
                summary.points().isEmpty() && session.runs().stream().anyMatch(RunDirectory::isUnusable);
        return isUnusable ? ExitCode.FILES : ExitCode.OK;
    }
}
