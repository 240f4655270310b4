package org.lagbench.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;

/** Describes which host keeps which files of a session with a receiver on another host. */
final class KeptFiles {
    private KeptFiles() {}

    /** Returns the path that a receiver reported; empty if it is no valid path on this host. */
    private static Optional<Path> path(String reported) {
        try {
            return Optional.of(Path.of(reported));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Returns a sentence for each host. The caller prints the path of the session after the last one. */
    static String onReceiver(Endpoint receiver, Session session) {
        Set<Path> directories = session.runs().stream()
                .map(RunDirectory::record)
                .filter(Objects::nonNull)
                .map(KeptFiles::otherSide)
                .filter(Objects::nonNull)
                .map(side -> side.metadata().get(RunRecord.Side.DIRECTORY))
                .filter(String.class::isInstance)
                .flatMap(directory -> path((String) directory).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        String places = directories.stream()
                .map(directory -> directories.size() == 1 ? directory : directory.getParent())
                .distinct()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        return receiver + " keeps its own stamps in " + places + ".\n"
                + "This host keeps the stamps of both sides and the results:";
    }

    private static RunRecord.@Nullable Side otherSide(RunRecord run) {
        return StreamRole.directionOf(run.run().stream()) == StreamRole.Direction.BACKWARD
                ? run.sender()
                : run.receiver();
    }
}
