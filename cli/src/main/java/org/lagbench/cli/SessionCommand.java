package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.file.FileTree;
import org.lagbench.runner.sweep.SessionDirectory;
import picocli.CommandLine.Parameters;

/** A subcommand that reads the captures of a session. */
abstract class SessionCommand extends Subcommand {
    private static final String LATEST = "latest";

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DIR",
            description = "A session directory, its runs directory, or the directory of a run; " + LATEST
                    + " is the newest session of its parent, or of " + SessionArguments.DEFAULT_OUTPUT
                    + " without one (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of(SessionArguments.DEFAULT_OUTPUT, LATEST);

    /** Returns the directory, which has a file or folder of this name unless it is the newest session. */
    final Path directory() throws LagbenchException {
        boolean isLatest = LATEST.equals(String.valueOf(directory.getFileName())) && !Files.exists(directory);
        if (isLatest) {
            directory =
                    newest(Objects.requireNonNullElse(directory.getParent(), Path.of(SessionArguments.DEFAULT_OUTPUT)));
            err().println("Session: " + directory);
        }
        return directory;
    }

    private static Path newest(Path parent) throws LagbenchException {
        return IoErrors.explained("There is no session in " + parent, () -> {
            try (Stream<Path> all = Files.list(parent)) {
                return all.filter(SessionDirectory::isSession)
                        .max(Comparator.comparing(SessionCommand::created).thenComparing(Path::getFileName))
                        .orElseThrow(() -> new NoSuchFileException(parent.toString()));
            }
        });
    }

    /** Returns when a session was created, by its experiment, which is written once. */
    private static FileTime created(Path session) {
        try {
            return Files.getLastModifiedTime(session.resolve(Session.EXPERIMENT));
        } catch (IOException e) {
            return FileTime.fromMillis(0); // the session was deleted meanwhile
        }
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
