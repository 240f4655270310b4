package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.runner.sweep.SessionDirectory;

/** The word {@value #NAME}, which stands for the newest session of a directory. */
public final class LatestSession {
    static final String NAME = "latest";

    private LatestSession() {}

    /**
     * Returns the newest session of a path's parent, and prints it, if the path ends with {@value #NAME} and does not
     * exist; else the path.
     *
     * @throws LagbenchException if the parent has no session
     */
    public static Path resolve(Path path, PrintWriter err) throws LagbenchException {
        if (!NAME.equals(String.valueOf(path.getFileName())) || Files.exists(path)) {
            return path;
        }
        Path newest = newest(Objects.requireNonNullElse(path.getParent(), Path.of(SessionArguments.DEFAULT_OUTPUT)));
        err.println("Session: " + newest);
        return newest;
    }

    private static Path newest(Path parent) throws LagbenchException {
        return IoErrors.explained("There is no session in " + parent, () -> {
            try (Stream<Path> all = Files.list(parent)) {
                return all.filter(SessionDirectory::isSession)
                        .max(Comparator.comparing(LatestSession::created).thenComparing(Path::getFileName))
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
}
