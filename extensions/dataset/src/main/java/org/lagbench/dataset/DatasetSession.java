package org.lagbench.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.SessionId;
import org.lagbench.core.timeseries.SeriesIndex;

/**
 * A session as a dataset has it: of a sweep, a monitor or a matrix.
 *
 * @param path its directory
 * @param name the directory's name
 * @param identity its identity
 * @param parts the sessions with runs, one for each pair of a matrix; none of a monitor that kept no runs
 */
record DatasetSession(Path path, String name, SessionId identity, List<Part> parts) {
    private static final String SITES = "sites.yaml";
    private static final String PAIRS = "pairs";

    /**
     * Runs of a session.
     *
     * @param from the sending site of a matrix; null otherwise
     * @param to the receiving site of a matrix; null otherwise
     * @param path the directory of the session with the runs
     * @param opened that session; null for one of the many pairs of a matrix
     */
    record Part(@Nullable String from, @Nullable String to, Path path, @Nullable Session opened) {
        /** Returns the session with the runs, which is opened each time if it is of a pair. */
        Session session() throws LagbenchException {
            return opened == null ? Session.open(path) : opened;
        }

        /** Returns the name of a run in the dataset, which is unique in the session: "vienna/graz/0001-udp-992-r1". */
        String run(String name) {
            return from == null ? name : from + "/" + to + "/" + name;
        }
    }

    /** Opens a session. */
    static DatasetSession open(Path path) throws LagbenchException {
        boolean isMatrix = Files.isRegularFile(path.resolve(SITES));
        List<Part> parts = new ArrayList<>();
        if (isMatrix) {
            for (Path from : directories(path.resolve(PAIRS))) {
                for (Path to : directories(from)) {
                    if (hasRuns(to)) {
                        parts.add(new Part(nameOf(from), nameOf(to), to, null));
                    }
                }
            }
        } else if (!SeriesIndex.isIn(path) || hasRuns(path)) {
            parts.add(new Part(null, null, path, Session.open(path)));
        }
        String name = parts.size() == 1 && !isMatrix ? parts.get(0).session().name() : nameOf(path);
        return new DatasetSession(path, name, SessionId.read(path), parts);
    }

    UUID id() {
        return identity.id();
    }

    /** Returns when it was created, ISO-8601 in UTC. */
    String createdAt() {
        return identity.createdAt().toString();
    }

    /** Returns the day (UTC) on which it was created. */
    LocalDate date() {
        return LocalDate.ofInstant(identity.createdAt(), ZoneOffset.UTC);
    }

    private static boolean hasRuns(Path directory) throws LagbenchException {
        return !directories(directory.resolve(Session.RUNS)).isEmpty();
    }

    /** Returns the directories in a directory by name; none if it does not exist. */
    private static List<Path> directories(Path directory) throws LagbenchException {
        return Files.isDirectory(directory)
                ? FileTree.list(directory).stream()
                        .filter(Files::isDirectory)
                        .sorted()
                        .toList()
                : List.of();
    }

    private static String nameOf(Path path) {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }
}
