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
import org.lagbench.cli.format.Json;
import org.lagbench.cli.machine.Environment;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.ThisHost;
import org.lagbench.core.transport.Transports;

/**
 * The directory of one execution of an experiment: {@code experiment.yaml}, {@code environment.json}, and a directory a
 * run under {@code runs/}. {@code logs/} holds what processes that failed had to say.
 */
public final class SessionDirectory implements AutoCloseable {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String EXPERIMENT = "experiment.yaml";
    private static final String ENVIRONMENT = "environment";
    private static final String JSON = ".json";

    private final Path directory;

    /** Locked while a sweep is at the session; the lock ends with the process, however that ends. */
    private final FileChannel lockedExperiment;

    private SessionDirectory(Path directory, FileChannel lockedExperiment) {
        this.directory = directory;
        this.lockedExperiment = lockedExperiment;
    }

    /**
     * Makes the directory of a new session and writes the experiment there.
     *
     * @param output the directory that sessions are kept in; made if need be
     */
    public static SessionDirectory create(Path output, Experiment experiment, Instant now) throws LagbenchException {
        String name = experiment.name() + "-" + STAMP.format(now);
        try {
            Files.createDirectories(output);
            Path directory = newDirectory(output, name);
            Files.writeString(directory.resolve(EXPERIMENT), experiment.toYaml());
            return locked(directory);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "No session directory can be made in " + output + ": " + IoErrors.reason(e) + ".",
                    e);
        }
    }

    /** A session that was begun before. */
    public static SessionDirectory open(Path directory) throws LagbenchException {
        if (!Files.isRegularFile(directory.resolve(EXPERIMENT))) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    directory + " is not a session directory: it has no " + EXPERIMENT
                            + ". Name one that an earlier sweep or tune has made.");
        }
        try {
            return locked(directory);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, directory + " cannot be written to: " + IoErrors.reason(e) + ".", e);
        }
    }

    private static SessionDirectory locked(Path directory) throws IOException, LagbenchException {
        FileChannel experiment = FileChannel.open(directory.resolve(EXPERIMENT), StandardOpenOption.WRITE);
        if (experiment.tryLock() == null) {
            experiment.close();
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE, "There is another sweep at " + directory + "; wait until it has ended.");
        }
        SessionDirectory session = new SessionDirectory(directory, experiment);
        Files.createDirectories(session.runs());
        Files.createDirectories(session.logs());
        return session;
    }

    /** Lets others sweep it. */
    @Override
    public void close() throws LagbenchException {
        try {
            lockedExperiment.close();
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, experimentFile() + " cannot be closed: " + IoErrors.reason(e) + ".", e);
        }
    }

    /** Where it is. */
    public Path directory() {
        return directory;
    }

    /** The experiment with all defaults and the seed. */
    public Path experimentFile() {
        return directory.resolve(EXPERIMENT);
    }

    /** The directory with a directory a run. */
    public Path runs() {
        return directory.resolve(Session.RUNS);
    }

    /** Where a process of a run may write what it has to say. */
    Path log(String run, String process) {
        return logs().resolve(run + "-" + process + ".txt");
    }

    /** Whether a run came to its end. */
    public boolean isComplete(String run) {
        Path record = runs().resolve(run).resolve(RunRecord.FILE_NAME);
        try {
            return Files.exists(record)
                    && RunRecordFile.read(runs().resolve(run)).state() == RunRecord.State.COMPLETE;
        } catch (LagbenchException e) {
            return false; // a record cut off or of another version: the run is done again
        }
    }

    /** Whether any run came to its end. */
    public boolean hasCompleteRun() throws LagbenchException {
        try (Stream<Path> entries = Files.list(runs())) {
            return entries.anyMatch(run -> isComplete(String.valueOf(run.getFileName())));
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, runs() + " cannot be read: " + IoErrors.reason(e) + ".", e);
        }
    }

    /** Whether all runs that were made at the same time came to their end. */
    boolean isComplete(RunGroup group) {
        return group.runs().stream().allMatch(run -> isComplete(run.name()));
    }

    /** Sees to it that a run that failed has a record that says so, whatever became of its sender. */
    void mark(RunSpec run, Outcome outcome, Instant startedAt) throws LagbenchException {
        Path left = runs().resolve(run.name());
        if (Files.isDirectory(left) && !Files.exists(left.resolve(RunRecord.FILE_NAME))) {
            RunRecordFile.write(
                    left,
                    RunRecord.of(
                            run,
                            Transports.load().named(run.transport()).title(),
                            run.warmUpPackets(),
                            RunRecord.State.BROKEN,
                            String.valueOf(outcome.sentence()),
                            startedAt.toString(),
                            ThisHost.side(Map.of()),
                            null,
                            null,
                            null));
        }
    }

    /** Moves what is left of a run that did not come to its end to {@code broken/}, where it is kept. */
    void setAside(String run) throws LagbenchException {
        Path left = runs().resolve(run);
        if (!Files.exists(left)) {
            return;
        }
        Path aside = directory.resolve("broken");
        try {
            Files.createDirectories(aside);
            Path target = aside.resolve(run);
            for (int i = 2; Files.exists(target); i++) {
                target = aside.resolve(run + "-" + i);
            }
            Files.move(left, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, left + " cannot be moved to " + aside + ": " + IoErrors.reason(e) + ".", e);
        }
    }

    /**
     * Where the environment of the execution that begins now is kept: {@code environment.json}; for each that resumed
     * the session {@code environment-2.json} and so on.
     */
    Path newEnvironmentFile() {
        Path file = directory.resolve(ENVIRONMENT + JSON);
        for (int i = 2; Files.exists(file); i++) {
            file = directory.resolve(ENVIRONMENT + "-" + i + JSON);
        }
        return file;
    }

    /** Writes an environment, so that a reader sees all of it or what was there before. */
    static void write(Path file, Environment environment) throws LagbenchException {
        WholeFile.write(file, Json.text(environment) + "\n");
    }

    /** Removes the directory of logs if nothing is in it. */
    void tidy() throws LagbenchException {
        try {
            Files.delete(logs());
        } catch (DirectoryNotEmptyException e) {
            return; // a process failed, and its log tells why
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, logs() + " cannot be removed: " + IoErrors.reason(e) + ".", e);
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
