package org.lagbench.runner.sweep;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.run.SessionId;
import org.lagbench.experiment.Experiment;
import org.lagbench.runner.machine.Machine;
import org.lagbench.runner.sweep.Child.ExitReport;

/**
 * The directory of one execution of an experiment: {@code experiment.yaml}, {@code environment.json}, and a directory
 * for each run under {@code runs/}. {@code logs/} has the error output of processes that failed.
 *
 * @param lock locks the session until {@link #close} or the end of the process
 */
public record SessionDirectory(Path directory, FileChannel lock) implements AutoCloseable {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String LOCK = ".lock";
    private static final Pattern ENVIRONMENT = Pattern.compile("environment(-\\d+)?\\.json");

    /**
     * Creates the directory of a new session with its experiment.
     *
     * @param output the parent directory, created if necessary
     */
    public static SessionDirectory create(Path output, Experiment experiment, Instant now) throws LagbenchException {
        return IoErrors.explained("No session directory can be created in " + output, () -> {
            Path directory = newDirectory(output, experiment.name(), now);
            try {
                return begin(directory, experiment);
            } catch (IOException | LagbenchException e) {
                FileTree.delete(directory);
                throw e;
            }
        });
    }

    /** Creates a session in this directory, which must be empty or not exist. */
    public static SessionDirectory createIn(Path directory, Experiment experiment) throws LagbenchException {
        return IoErrors.explained("No session can be created in " + directory, () -> {
            Files.createDirectories(directory);
            return begin(directory, experiment);
        });
    }

    private static SessionDirectory begin(Path directory, Experiment experiment) throws IOException, LagbenchException {
        SessionDirectory session = new SessionDirectory(directory, lock(directory));
        try {
            Path file = session.experimentFile();
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new FileAlreadyExistsException(file.toString());
            }
            AtomicFile.write(file, experiment.toYaml()); // a part of it would be a session that cannot be resumed
            return session.withDirectories();
        } catch (IOException | LagbenchException e) {
            session.lock.close();
            throw e;
        }
    }

    public static boolean isSession(Path directory) {
        return Files.exists(directory.resolve(Session.EXPERIMENT));
    }

    public static SessionDirectory open(Path directory) throws LagbenchException {
        if (!isSession(directory)) {
            throw ExitCode.USAGE.failure(directory + " is not a session directory: it has no " + Session.EXPERIMENT
                    + ". Name a directory that an earlier sweep or tune has created.");
        }
        FileTree.requireOwnFiles(directory);
        return IoErrors.explained(
                directory + " cannot be written",
                () -> new SessionDirectory(directory, lock(directory)).withDirectories());
    }

    private SessionDirectory withDirectories() throws IOException {
        Files.createDirectories(runs());
        Files.createDirectories(logs());
        return this;
    }

    /**
     * Locks the directory of a session, until the channel is closed or the process ends. Locks a file that nothing else
     * opens: Linux drops the lock of a process when the process closes any descriptor of the file.
     *
     * @throws LagbenchException if another process has locked it
     */
    public static FileChannel lock(Path directory) throws IOException, LagbenchException {
        FileChannel lock =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (lock.tryLock() == null) {
            lock.close();
            throw ExitCode.UNAVAILABLE.failure("Another lagbench uses " + directory + "; wait until it has ended.");
        }
        return lock;
    }

    /** Deletes empty logs, unlocks the session, and adds the checksums of the session's files. */
    @Override
    public void close() throws LagbenchException {
        if (FileTree.list(logs()).isEmpty()) { // otherwise a process failed, and its log says why
            IoErrors.explained(logs() + " cannot be deleted", () -> Files.deleteIfExists(logs()));
        }
        unlock(directory, lock);
        Checksums.add(
                directory,
                FileTree.list(directory).stream()
                        .map(file -> String.valueOf(file.getFileName()))
                        .filter(name -> name.equals(Session.EXPERIMENT)
                                || ENVIRONMENT.matcher(name).matches())
                        .sorted()
                        .toList());
    }

    /** Unlocks the directory of a session. */
    public static void unlock(Path directory, FileChannel lock) throws LagbenchException {
        try {
            lock.close();
        } catch (IOException e) {
            throw IoErrors.toException(directory + " cannot be unlocked", e);
        }
    }

    /** Returns the file of the experiment, which has all defaults and the seed. */
    public Path experimentFile() {
        return directory.resolve(Session.EXPERIMENT);
    }

    /** Returns the parent of the runs' directories. */
    public Path runs() {
        return directory.resolve(Session.RUNS);
    }

    /** Returns the file for the error output of a process of a run. */
    Path log(String run, String process) {
        return logs().resolve(run + "-" + process + ".txt");
    }

    public boolean isComplete(String run) {
        return state(run) == RunRecord.State.COMPLETE;
    }

    /** Returns the state of a run; null without a record, or with a truncated one or one of another version. */
    private RunRecord.@Nullable State state(String run) {
        Path runDirectory = runs().resolve(run);
        try {
            return Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))
                    ? RunRecord.read(runDirectory).state()
                    : null;
        } catch (LagbenchException e) {
            return null;
        }
    }

    /** Returns the outcome of runs, or a failure if they ended without an error but one of them left no record. */
    ExitReport checkRecords(RunGroup group, ExitReport outcome) {
        for (int i = 0; outcome.isOk() && i < group.runs().size(); i++) {
            String run = group.runs().get(i).name();
            if (!isComplete(run)) {
                return new ExitReport(
                                ExitCode.BROKEN,
                                "The sender ended without an error, but there is no record of a complete run in "
                                        + runs().resolve(run) + ".")
                        .ofMember(i);
            }
        }
        return outcome;
    }

    /** Adds the checksums of the files of runs whose processes have all ended. */
    void addChecksums(RunGroup group) throws LagbenchException {
        for (Path directory : directories(group)) {
            RunFileNames.addChecksums(directory, file -> true);
        }
    }

    private List<Path> directories(RunGroup group) {
        return group.runs().stream()
                .map(run -> runs().resolve(run.name()))
                .filter(Files::isDirectory)
                .toList();
    }

    boolean isComplete(RunGroup group) {
        return group.runs().stream().allMatch(run -> isComplete(run.name()));
    }

    public boolean hasCompleteRun() throws LagbenchException {
        return hasRun(run -> isComplete(String.valueOf(run.getFileName())));
    }

    /** Returns whether any run ended early and has a record and stamps. */
    boolean hasBrokenRun() throws LagbenchException {
        return hasRun(run -> Files.exists(run.resolve(RunRecord.FILE_NAME))
                && !isComplete(String.valueOf(run.getFileName()))
                && RunDirectory.hasStamps(run));
    }

    private boolean hasRun(Predicate<Path> condition) throws LagbenchException {
        return FileTree.list(runs()).stream().anyMatch(condition);
    }

    /**
     * Writes the record of a run without a record: its sender died before it wrote one, or is on another host. Corrects
     * the record of a run whose network failed, or whose sender died while packets were sent.
     */
    void markBroken(RunSpec run, ExitReport outcome, Instant startedAt) throws LagbenchException {
        Path runDirectory = runs().resolve(run.name());
        boolean isInterrupted = outcome.exitCode() == ExitCode.INTERRUPTED;
        RunRecord.State state = isInterrupted ? RunRecord.State.INTERRUPTED : RunRecord.State.BROKEN;
        RunRecord.State recorded = state(run.name());
        String sentence = Objects.requireNonNullElse(outcome.sentence(), "Interrupted.");
        if (recorded == RunRecord.State.RUNNING || (recorded == RunRecord.State.COMPLETE && !isInterrupted)) {
            RunRecord.correct(runDirectory, state, sentence);
        } else if (Files.isDirectory(runDirectory) && !Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))) {
            new RunRecord(
                            run,
                            Transports.load().named(run.point().transport()).title(),
                            state,
                            sentence,
                            startedAt,
                            Instant.now(),
                            RunRecord.Side.ofThisHost(Map.of()),
                            null,
                            null,
                            null,
                            null,
                            null)
                    .write(runDirectory);
        }
    }

    /** Creates the directory of a run that is not executed on this host: a skipped one, or one between agents. */
    void createDirectory(String run) throws LagbenchException {
        Path created = runs().resolve(run);
        IoErrors.explained(created + " cannot be created", () -> Files.createDirectories(created));
    }

    /** Deletes the temporary files that killed processes of runs have left. */
    void deleteScratch(RunGroup group) throws LagbenchException {
        for (Path run : directories(group)) {
            for (Path file : FileTree.list(run)) {
                if (file.toString().endsWith(".partial")) {
                    IoErrors.explained(run + " cannot be cleaned up", () -> Files.deleteIfExists(file));
                }
            }
        }
    }

    /** Moves the directory of an incomplete run to {@code broken/}. */
    void setAside(String run) throws LagbenchException {
        Path source = runs().resolve(run);
        if (Files.exists(source)) {
            setAside(source, run);
        }
    }

    /** Moves the files of a run elsewhere, which is not complete, to {@code broken/}. */
    void setAside(Path files, String run) throws LagbenchException {
        move(files, directory.resolve("broken"), run);
    }

    /** Moves a directory into another one, which is created if necessary, under a name that does not exist there. */
    public static void move(Path source, Path parent, String name) throws LagbenchException {
        IoErrors.explained(source + " cannot be moved to " + parent, () -> {
            Files.createDirectories(parent);
            return Files.move(source, newPath(parent, name, ""), StandardCopyOption.ATOMIC_MOVE);
        });
    }

    /** Returns a new file for the environment: {@code environment.json}, or {@code environment-2.json} and so on. */
    public Path newEnvironmentFile() {
        return newPath(directory, "environment", ".json");
    }

    /** Returns when each execution of the session began. */
    List<Instant> begins() throws LagbenchException {
        List<Instant> begins = new ArrayList<>();
        for (Path file : FileTree.list(directory)) {
            if (ENVIRONMENT.matcher(String.valueOf(file.getFileName())).matches()) {
                begins.add(startedAt(file));
            }
        }
        return begins;
    }

    private static Instant startedAt(Path environment) throws LagbenchException {
        String startedAt = StrictJson.read(environment, Machine.FORMAT)
                .path(Machine.STARTED_AT)
                .asString("");
        try {
            return Instant.parse(startedAt);
        } catch (DateTimeParseException e) {
            throw ExitCode.FILES.failure(
                    environment + ": " + Machine.STARTED_AT + ": \"" + startedAt + "\" is not a time.", e);
        }
    }

    /** Returns a path that does not exist: the name with a suffix, or with a number before it. */
    private static Path newPath(Path parent, String name, String suffix) {
        Path path = parent.resolve(name + suffix);
        for (int i = 2; Files.exists(path); i++) {
            path = parent.resolve(name + "-" + i + suffix);
        }
        return path;
    }

    private Path logs() {
        return directory.resolve("logs");
    }

    /** Creates a subdirectory with an identity, whose name has the time in UTC, and a number if that name exists. */
    public static Path newDirectory(Path output, String experiment, Instant now) throws IOException, LagbenchException {
        Path directory = newPath(output, experiment, now);
        try {
            SessionId.create(directory, now);
            return directory;
        } catch (LagbenchException e) {
            FileTree.delete(directory);
            throw e;
        }
    }

    private static Path newPath(Path output, String experiment, Instant now) throws IOException {
        Files.createDirectories(output);
        String name = experiment + "-" + STAMP.format(now);
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
