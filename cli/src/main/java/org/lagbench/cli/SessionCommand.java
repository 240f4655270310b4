package org.lagbench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.file.FileTree;
import picocli.CommandLine.Parameters;

/** A subcommand that reads the captures of a session. */
abstract class SessionCommand extends Subcommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIR",
            description = "A session directory, its runs directory, or the directory of a run; " + LatestSession.NAME
                    + " is the newest session of its parent, or of " + SessionArguments.DEFAULT_OUTPUT
                    + " without one (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of(SessionArguments.DEFAULT_OUTPUT, LatestSession.NAME);

    /** Returns the directory, which has a file or folder of this name unless it is the newest session. */
    final Path directory() throws LagbenchException {
        directory = LatestSession.resolve(directory, err());
        return directory;
    }

    /**
     * Opens the session. From now on Ctrl-C and SIGTERM end the process at once, because all output can be made again;
     * no partial file remains.
     */
    final Session openSession() throws LagbenchException {
        shutdown().onInterrupt(AtomicFile::deleteAllAtEnd);
        shutdown().endAtOnce();
        return Session.open(directory());
    }

    /**
     * Returns where the command writes: what the user named, or a file or directory of the session.
     *
     * @throws LagbenchException if that is in a session of another user, and this process is root's
     */
    final Path output(@Nullable Path named, String ofSession) throws LagbenchException {
        Path output = named == null ? directory().resolve(ofSession) : named;
        Path session = directory().toAbsolutePath().normalize();
        if (Files.exists(session) && output.toAbsolutePath().normalize().startsWith(session)) {
            FileTree.requireOwnFiles(session);
        }
        return output;
    }

    /** Returns the exit code of a summary: a file error if no run is left. */
    static ExitCode exitCode(Summary summary) {
        return summary.points().isEmpty() ? ExitCode.FILES : ExitCode.OK;
    }
}
