package org.lagbench.report.export;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.SessionId;
import org.lagbench.core.timeseries.SeriesIndex;

/**
 * A session as a dataset has it: of a sweep, a monitor or a matrix.
 *
 * @param path its directory
 * @param name the directory's name
 * @param id its identity; derived from its content if it is of an earlier version
 * @param createdAt when it was created, ISO-8601 in UTC; empty if it is of an earlier version
 * @param date the day (UTC) on which it was created
 * @param parts the sessions with runs, one for each pair of a matrix; none of a monitor that kept no runs
 */
record DatasetSession(Path path, String name, UUID id, String createdAt, LocalDate date, List<Part> parts) {
    private static final String SITES = "sites.yaml";
    private static final String PAIRS = "pairs";

    /** The files that sessions of earlier versions are identified by, besides their name. */
    private static final List<String> IDENTIFYING = List.of(Session.EXPERIMENT, SITES, "environment.json");

    private static final Pattern STAMP = Pattern.compile(".*-(\\d{4})(\\d\\d)(\\d\\d)T\\d{6}Z(-\\d+)?");

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
        SessionId recorded = SessionId.read(path);
        String name = parts.size() == 1 && !isMatrix ? parts.get(0).session().name() : nameOf(path);
        UUID id = recorded == null ? derivedId(path, name, parts) : recorded.id();
        Instant createdAt = recorded == null ? null : recorded.createdAt();
        return new DatasetSession(
                path,
                name,
                id,
                createdAt == null ? "" : createdAt.toString(),
                createdAt == null ? date(path, name, parts) : LocalDate.ofInstant(createdAt, ZoneOffset.UTC),
                parts);
    }

    /** Returns an identity that depends on what no later run of the session changes. */
    private static UUID derivedId(Path path, String name, List<Part> parts) throws LagbenchException {
        return IoErrors.explained(path + " cannot be read", () -> {
            ByteArrayOutputStream content = new ByteArrayOutputStream();
            content.write(name.getBytes(StandardCharsets.UTF_8));
            boolean isIdentified = false;
            for (String file : IDENTIFYING) {
                if (Files.isRegularFile(path.resolve(file))) {
                    content.write(Files.readAllBytes(path.resolve(file)));
                    isIdentified = true;
                }
            }
            if (!isIdentified && !parts.isEmpty()) {
                Path first = parts.get(0).session().runs().get(0).path().resolve(RunRecord.FILE_NAME);
                content.write(Files.exists(first) ? Files.readAllBytes(first) : new byte[0]);
            }
            return UUID.nameUUIDFromBytes(content.toByteArray());
        });
    }

    private static LocalDate date(Path path, String name, List<Part> parts) throws LagbenchException {
        Matcher stamp = STAMP.matcher(name);
        if (stamp.matches()) {
            return LocalDate.of(
                    Integer.parseInt(stamp.group(1)),
                    Integer.parseInt(stamp.group(2)),
                    Integer.parseInt(stamp.group(3)));
        }
        Instant first = null;
        for (int i = 0; i < parts.size() && first == null; i++) { // one pair of a matrix: opening all takes long
            for (RunDirectory run : parts.get(i).session().runs()) {
                RunRecord record = run.record();
                Instant start = record == null ? null : RunRecord.parseTime(record.startedAt());
                first = first == null || (start != null && start.isBefore(first)) ? start : first;
            }
        }
        if (first == null && SeriesIndex.isIn(path)) {
            first = Instant.EPOCH.plusNanos(SeriesIndex.read(path).startNs());
        }
        if (first == null) {
            throw ExitCode.FILES.failure(path + " has no date: neither its name nor a record of a run has one.");
        }
        return LocalDate.ofInstant(first, ZoneOffset.UTC);
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
