package org.lagbench.runner.capacity;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.matrix.MatrixResult.PairResult;
import org.lagbench.analysis.matrix.MatrixResult.PairSharing;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.matrix.Sharing;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.RunRecord;
import org.lagbench.experiment.MatrixSpec;
import org.lagbench.experiment.MatrixSpec.Pair;
import org.lagbench.experiment.MatrixSpec.Site;
import org.lagbench.experiment.SitesReader;
import org.lagbench.runner.sweep.RunTable;
import org.lagbench.runner.sweep.SessionDirectory;

/**
 * The directory of a matrix: {@code sites.yaml}, and a session directory for each pair, {@code pairs/FROM/TO/}.
 *
 * @param directory the session directory of the matrix
 * @param spec the sites and the measurements of the session
 * @param lock locks the directory of the matrix until {@link #close} or the end of the process
 */
public record MatrixSession(Path directory, MatrixSpec spec, FileChannel lock) implements AutoCloseable {
    private static final String SITES = "sites.yaml";
    private static final String SHARINGS = "sharings.txt";
    private static final String NOT_MEASURED = "Not measured yet.";

    /** Creates a session in a new subdirectory of {@code output}. */
    public static MatrixSession create(Path output, MatrixSpec spec, Instant now) throws LagbenchException {
        return IoErrors.explained("No session directory can be created in " + output, () -> {
            Path directory = SessionDirectory.newDirectory(output, spec.name(), now);
            AtomicFile.write(directory.resolve(SITES), SitesReader.format(spec));
            return new MatrixSession(directory, spec, SessionDirectory.lock(directory));
        });
    }

    /** Opens an existing session. */
    public static MatrixSession open(Path directory) throws LagbenchException {
        if (!Files.isRegularFile(directory.resolve(SITES))) {
            throw ExitCode.USAGE.failure(directory + " is not the directory of a matrix: it has no " + SITES
                    + ". Name one that lagbench matrix has created.");
        }
        FileTree.requireOwnFiles(directory);
        return IoErrors.explained(directory + " cannot be written", () -> {
            MatrixSpec spec = SitesReader.read(directory.resolve(SITES));
            return new MatrixSession(directory, spec, SessionDirectory.lock(directory));
        });
    }

    /** Returns the measurement of a pair. */
    PairMeasurement measurement(Pair pair) {
        return new PairMeasurement(
                spec, spec.sites().get(pair.from()), spec.sites().get(pair.to()));
    }

    /** Returns the session directory of a pair. */
    Path directory(PairMeasurement pair) {
        return directory.resolve("pairs").resolve(pair.name());
    }

    /**
     * Computes the metrics of all pairs from their captures.
     *
     * @param shown the metrics of tables
     * @param others those that are judged too
     */
    public MatrixResult result(List<Metric<?>> shown, List<Metric<?>> others) throws LagbenchException {
        Set<Metric<?>> metrics = new HashSet<>(shown);
        metrics.addAll(others);
        List<PairResult> pairs = new ArrayList<>();
        int sites = spec.sites().size();
        for (int from = 0; from < sites; from++) {
            for (int to = 0; to < sites; to++) {
                if (from != to && spec.isMeasured(new Pair(from, to))) {
                    pairs.add(result(new Pair(from, to), metrics));
                }
            }
        }
        return new MatrixResult(
                String.valueOf(directory.toAbsolutePath().normalize().getFileName()),
                spec.sites().stream().map(Site::name).toList(),
                shown,
                pairs,
                sharings());
    }

    /** Returns whether a round was searched for bottlenecks. */
    boolean isSearched(int round) {
        return Files.exists(searchOf(round).resolve(SHARINGS));
    }

    /** Returns the directory of a bottleneck search in a round. */
    Path searchOf(int round) {
        return directory.resolve("bottlenecks").resolve("round-" + round);
    }

    /** Writes the results of a bottleneck search in a round. */
    void keep(int round, List<PairSharing> found) throws LagbenchException {
        StringBuilder lines = new StringBuilder();
        for (PairSharing sharing : found) {
            lines.append(String.join(
                            " ",
                            sharing.first(),
                            sharing.second(),
                            sharing.sharing().name(),
                            Double.toString(sharing.probability()),
                            sharing.method()))
                    .append('\n');
        }
        AtomicFile.write(searchOf(round).resolve(SHARINGS), lines);
    }

    /** Reads the results of all bottleneck searches. */
    List<PairSharing> sharings() throws LagbenchException {
        List<PairSharing> sharings = new ArrayList<>();
        for (int round = 1; round <= spec.rounds().size(); round++) {
            Path file = searchOf(round).resolve(SHARINGS);
            try {
                for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
                    String[] words = line.split(" ", -1);
                    sharings.add(new PairSharing(
                            round,
                            words[0],
                            words[1],
                            Sharing.valueOf(words[2]),
                            Double.parseDouble(words[3]),
                            words[4]));
                }
            } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException e) {
                throw ExitCode.FILES.failure(
                        file + " cannot be read; delete it to test this round for shared bottlenecks again.", e);
            }
        }
        return sharings;
    }

    /** Moves the measurement of a pair to {@code replaced/}. */
    void setAside(Pair pair) throws LagbenchException {
        PairMeasurement moved = measurement(pair);
        SessionDirectory.move(
                directory(moved),
                directory.resolve("replaced").resolve(moved.from().name()),
                moved.to().name());
    }

    /** Deletes the files of an interrupted bottleneck search. */
    void deleteSearch(int round) throws LagbenchException {
        FileTree.delete(searchOf(round));
    }

    /** Returns the metrics of a pair, and why some are missing. */
    PairResult result(Pair pair, Set<Metric<?>> metrics) throws LagbenchException {
        PairMeasurement of = measurement(pair);
        String from = of.from().name();
        String to = of.to().name();
        Path measured = directory(of);
        if (!SessionDirectory.isSession(measured)) {
            return new PairResult(from, to, null, NOT_MEASURED);
        }
        try (SessionDirectory opened = SessionDirectory.open(measured)) {
            PairPlan plan = new PairPlan(opened, spec);
            RunTable table = RunTable.of(opened);
            plan.next(table);
            Session runs = Session.open(measured);
            PairMetrics values = PairMetrics.of(runs, metrics);
            return new PairResult(
                    from,
                    to,
                    values.measuredAt() == null ? null : values,
                    plan.extent(table).isOver() ? null : failure(runs));
        } catch (LagbenchException e) {
            return new PairResult(from, to, null, e.sentence());
        }
    }

    /** Returns why the last run of a pair that is incomplete failed. */
    private static String failure(Session runs) {
        return runs.runs().stream()
                .map(RunDirectory::record)
                .filter(record -> record != null && record.state() == RunRecord.State.BROKEN)
                .map(record -> record.failure())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(NOT_MEASURED);
    }

    @Override
    public void close() throws LagbenchException {
        SessionDirectory.unlock(directory, lock);
    }
}
