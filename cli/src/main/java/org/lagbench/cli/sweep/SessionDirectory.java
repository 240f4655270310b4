package org.lagbench.cli.sweep;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.lagbench.analysis.session.Session;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.ThisHost;
import org.lagbench.core.transport.Transports;

/**
 * The directory of one execution of an experiment: {@code experiment.yaml}, {@code environment.json}, and a directory
 * for each run under {@code runs/}. {@code logs/} has the error output of processes that failed.
 */
public final class SessionDirectory implements AutoCloseable {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String EXPERIMENT = "experiment.yaml";

    private final Path directory;

    /** Locked until {@link #close} or the end of the process. */
    private final FileChannel lockedExperiment;

    private SessionDirectory(Path directory, FileChannel lockedExperiment) {
        this.directory = directory;
        this.lockedExperiment = lockedExperiment;
    }

    /**
     * Creates the directory of a new session with its experiment.
     *
     * @param output the parent directory, created if necessary
     */
    public static SessionDirectory create(Path output, Experiment experiment, Instant now) throws LagbenchException {
        String name = experiment.name() + "-" + STAMP.format(now);
        try {
            Files.createDirectories(output);
            Path directory = newDirectory(output, name);
            Files.writeString(directory.resolve(EXPERIMENT), experiment.toYaml());
            return locked(directory);
        } catch (IOException e) {
            throw IoErrors.toException("No session directory can be created in " + output, e);
        }
    }

    /** Opens an existing session. */
    public static SessionDirectory open(Path directory) throws LagbenchException {
        if (!Files.isRegularFile(directory.resolve(EXPERIMENT))) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    directory + " is not a session directory: it has no " + EXPERIMENT
                            + ". Name a directory that an earlier sweep or tune has created.");
        }
        try {
            return locked(directory);
        } catch (IOException e) {
            throw IoErrors.toException(directory + " cannot be written", e);
        }
    }

    private static SessionDirectory locked(Path directory) throws IOException, LagbenchException {
        FileChannel experiment = FileChannel.open(directory.resolve(EXPERIMENT), StandardOpenOption.WRITE);
        if (experiment.tryLock() == null) {
            experiment.close();
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE, "Another sweep uses " + directory + "; wait until it has ended.");
        }
        SessionDirectory session = new SessionDirectory(directory, experiment);
        Files.createDirectories(session.runs());
        Files.createDirectories(session.logs());
        return session;
    }

    /** Unlocks the session. */
    @Override
    public void close() throws LagbenchException {
        try {
            lockedExperiment.close();
        } catch (IOException e) {
            throw IoErrors.toException(experimentFile() + " cannot be closed", e);
        }
    }

    /** Returns the path of the session. */
    public Path directory() {
        return directory;
    }

    /** Returns the file of the experiment, which has all defaults and the seed. */
    public Path experimentFile() {
        return directory.resolve(EXPERIMENT);
    }

    /** Returns the parent of the runs' directories. */
    public Path runs() {
        return directory.resolve(Session.RUNS);
    }

    /** Returns the file for the error output of a process of a run. */
    Path log(String run, String process) {
        return logs().resolve(run + "-" + process + ".txt");
    }

    /** Returns whether a run is complete. */
    public boolean isComplete(String run) {
        Path runDirectory = runs().resolve(run);
        try {
            return Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))
                    && RunRecordFile.read(runDirectory).state() == RunRecord.State.COMPLETE;
        } catch (LagbenchException e) {
            return false; // a truncated record, or one of another version: the run is made again
        }
    }

    /** Returns whether all runs of a group are complete. */
    boolean isComplete(RunGroup group) {
        return group.runs().stream().allMatch(run -> isComplete(run.name()));
    }

    /** Returns whether any run is complete. */
    public boolean hasCompleteRun() throws LagbenchException {
        try (Stream<Path> entries = Files.list(runs())) {
            return entries.anyMatch(run -> isComplete(String.valueOf(run.getFileName())));
        } catch (IOException e) {
            throw IoErrors.toException(runs() + " cannot be read", e);
        }
    }

    /** Writes the record of a failed run whose sender died before it could write one. */
    void markBroken(RunSpec run, Outcome outcome, Instant startedAt) throws LagbenchException {
        Path runDirectory = runs().resolve(run.name());
        if (Files.isDirectory(runDirectory) && !Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))) {
            RunRecordFile.write(
                    runDirectory,
                    RunRecord.of(
                            run,
                            Transports.load().named(run.transport()).title(),
                            RunRecord.State.BROKEN,
                            String.valueOf(outcome.sentence()),
                            startedAt.toString(),
                            Instant.now().toString(),
                            ThisHost.side(Map.of()),
                            null,
                            null,
                            null));
        }
    }

    /** Moves the directory of an incomplete run to {@code broken/}. */
    void setAside(String run) throws LagbenchException {
        Path source = runs().resolve(run);
        if (!Files.exists(source)) {
            return;
        }
        Path broken = directory.resolve("broken");
        try {
            Files.createDirectories(broken);
            Files.move(source, newPath(broken, run, ""), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw IoErrors.toException(source + " cannot be moved to " + broken, e);
        }
    }

    /** Returns a new file for the environment: {@code environment.json}, or {@code environment-2.json} and so on. */
    Path newEnvironmentFile() {
        return newPath(directory, "environment", ".json");
    }

    private static Path newPath(Path parent, String name, String suffix) {
        Path path = parent.resolve(name + suffix);
        for (int i = 2; Files.exists(path); i++) {
            path = parent.resolve(name + "-" + i + suffix);
        }
        return path;
    }

    /** Deletes the directory of logs if it is empty. */
    void deleteEmptyLogs() throws LagbenchException {
        try {
            Files.delete(logs());
        } catch (DirectoryNotEmptyException e) {
            return; // a process failed, and its log says why
        } catch (IOException e) {
            throw IoErrors.toException(logs() + " cannot be deleted", e);
        }
    }

    private Path logs() {
        return directory.resolve("logs");
    }

    private static Path newDirectory(Path output, String name) throws IOException {
        Path directory = output.resolve(name);
        for (int i = 2; ; i++) {
            try {
                return Files.createDirectory(directory);
            } catch (FileAlreadyExistsException e) {
                directory = output.resolve(name + "-" + i);
            }
        }
    }
}
