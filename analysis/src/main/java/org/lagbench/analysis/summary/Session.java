package org.lagbench.analysis.summary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.SessionId;

/**
 * The runs of one execution of an experiment. An immutable snapshot of the directory.
 *
 * @param path the directory that was opened
 * @param name the name of the session directory
 * @param runs the runs by name, at least one
 * @param damage what is wrong with each damaged file besides those of runs, by its name: {@code is missing}
 */
public record Session(Path path, String name, List<RunDirectory> runs, Map<String, String> damage) {
    /** The name of the directory of runs in a session directory. */
    public static final String RUNS = "runs";

    /** The name of the file of the experiment in a session directory. */
    public static final String EXPERIMENT = "experiment.yaml";

    public Session {
        runs = List.copyOf(runs);
    }

    /**
     * Finds the runs of a session directory, its {@code runs} directory, or the directory of a single run.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it is none of these, has no run or cannot be read
     */
    public static Session open(Path path) throws LagbenchException {
        if (!Files.isDirectory(path)) {
            throw ExitCode.FILES.failure(
                    Files.exists(path)
                            ? path + " is a file; give the directory of a session or of a run."
                            : "There is no directory " + path + ".");
        }
        Path absolute = path.toAbsolutePath().normalize();
        if (RunDirectory.isRun(path)) {
            FileTree.requireFiles(path);
            return new Session(path, nameOf(absolute), List.of(RunDirectory.read(path)), Map.of());
        }
        boolean hasRuns = Files.isDirectory(path.resolve(RUNS));
        if (hasRuns) {
            FileTree.requireFiles(path);
        }
        boolean isRunsDirectory = !hasRuns && nameOf(absolute).equals(RUNS);
        List<RunDirectory> runs = runsIn(hasRuns ? path.resolve(RUNS) : path, hasRuns || isRunsDirectory);
        if (runs.isEmpty()) {
            throw ExitCode.FILES.failure(
                    hasRuns
                            ? "There is no run in " + path.resolve(RUNS) + " yet."
                            : path + " is neither the directory of a session (it has no folder " + RUNS
                                    + ") nor of a run (it has no run.json).");
        }
        Path parent = absolute.getParent();
        return new Session(
                path,
                nameOf(isRunsDirectory && parent != null ? parent : absolute),
                runs,
                hasRuns ? damageOf(path) : Map.of());
    }

    /** Returns the file of the experiment, which may not exist. */
    Path experimentFile() {
        Path absolute = path.toAbsolutePath().normalize();
        Path parent = absolute.getParent();
        return (parent != null && nameOf(absolute).equals(RUNS) ? parent : path).resolve(EXPERIMENT);
    }

    /** @param hasOnlyRuns whether each directory belongs to a run, even one that has lost its files */
    private static List<RunDirectory> runsIn(Path directory, boolean hasOnlyRuns) throws LagbenchException {
        try (Stream<Path> entries = Files.list(directory)) {
            List<Path> runs = entries.filter(
                            entry -> hasOnlyRuns ? Files.isDirectory(entry) : RunDirectory.isRun(entry))
                    .sorted(Comparator.comparing(Path::toString))
                    .toList();
            for (Path run : runs) {
                FileTree.requireFiles(run);
            }
            return runs.stream().map(RunDirectory::read).toList();
        } catch (IOException e) {
            throw ExitCode.FILES.failure(
                    "The directory " + directory + " cannot be read: " + IoErrors.reason(e) + ".", e);
        }
    }

    private static Map<String, String> damageOf(Path session) {
        Map<String, String> damage = RunDirectory.damageByChecksums(session);
        if (Files.exists(session.resolve(SessionId.FILE_NAME))) {
            try {
                SessionId.read(session);
            } catch (LagbenchException e) {
                damage.put(SessionId.FILE_NAME, RunDirectory.unusable(e));
            }
        }
        return damage;
    }

    private static String nameOf(Path path) {
        return String.valueOf(path.getFileName());
    }
}
