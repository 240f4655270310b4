package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.run.StreamRole;

/** The runs of a session that have a record, and the outcomes of the current execution. Not thread-safe. */
public final class RunTable {
    private static final Pattern NUMBERED = Pattern.compile("(\\d{1,9})-.*");

    private final SessionDirectory session;
    private final Map<String, Row> rows = new HashMap<>();
    private final Map<Key, String> names = new HashMap<>();
    private final Map<String, List<ExitCode>> outcomes = new HashMap<>();
    private final NavigableSet<Instant> ends = new TreeSet<>();
    private int lastNumber;

    /** What a run is of, without its place in the order. */
    private record Key(Point point, int repeat, @Nullable StreamRole stream) {
        static Key of(RunSpec run) {
            return new Key(run.point(), run.repeat(), run.stream());
        }
    }

    /**
     * A run.
     *
     * @param endedAt when it was complete; null if it is not
     * @param damage what is wrong with the captures of a complete run; null for nothing
     */
    private record Row(@Nullable Instant endedAt, @Nullable String damage) {
        boolean isComplete() {
            return endedAt != null && damage == null;
        }
    }

    private RunTable(SessionDirectory session) {
        this.session = session;
    }

    /** Returns the runs of a session. */
    public static RunTable of(SessionDirectory session) throws LagbenchException {
        RunTable table = new RunTable(session);
        for (Path directory : FileTree.list(session.runs())) {
            RunDirectory run = RunDirectory.read(directory);
            RunRecord record = run.record();
            if (record != null) {
                table.add(run.name(), record, run.packetDamage());
            }
        }
        return table;
    }

    private void add(String name, RunRecord record, @Nullable String damage) {
        Instant endedAt = record.state() == RunRecord.State.COMPLETE ? record.endedAt() : null;
        rows.put(name, new Row(endedAt, damage));
        names.put(Key.of(record.run()), name);
        if (endedAt != null) {
            ends.add(endedAt);
        }
        Matcher numbered = NUMBERED.matcher(name);
        lastNumber = Math.max(lastNumber, numbered.matches() ? Integer.parseInt(numbered.group(1)) : 0);
    }

    /** Adds runs that have been tried, with their outcome. The checksums of their captures have just been made. */
    void add(RunGroup group, ExitCode outcome) throws LagbenchException {
        outcomes.computeIfAbsent(group.name(), name -> new ArrayList<>()).add(outcome);
        for (RunSpec run : group.runs()) {
            rows.remove(run.name());
            if (session.isComplete(run.name())) {
                add(run.name(), RunRecord.read(directory(run)), null);
            }
        }
    }

    /** Returns the outcomes of runs in the current execution, in order; none if it has not tried them. */
    public List<ExitCode> outcomes(RunGroup group) {
        return Collections.unmodifiableList(outcomes.getOrDefault(group.name(), List.of()));
    }

    /** Returns whether runs are complete, and their captures are intact. */
    public boolean isComplete(RunGroup group) {
        return group.runs().stream().allMatch(run -> {
            Row row = rows.get(run.name());
            return row != null && row.isComplete();
        });
    }

    /** Returns the number of runs that are complete and intact. */
    public int complete() {
        return (int) rows.values().stream().filter(Row::isComplete).count();
    }

    /** Returns why a complete run must be made again: its captures are damaged; null if it need not. */
    @Nullable
    String damage(RunSpec run) {
        Row row = rows.get(run.name());
        return row == null || row.endedAt() == null ? null : row.damage();
    }

    /**
     * Returns a repeat of runs with the names that they have in the session; if it has none, with the next number in
     * the order.
     */
    public RunGroup repeat(RunGroup group, int repeat) {
        RunGroup next = group.numbered(lastNumber + 1, repeat);
        String name = names.get(Key.of(next.runs().get(0)));
        Matcher numbered = NUMBERED.matcher(name == null ? "" : name);
        return numbered.matches() ? group.numbered(Integer.parseInt(numbered.group(1)), repeat) : next;
    }

    /** Returns the directory of a run. */
    public Path directory(RunSpec run) {
        return session.runs().resolve(run.name());
    }

    /**
     * Returns how much time complete runs have taken: from the end of the complete run before, or from the begin of the
     * execution if that was later.
     */
    public Duration taken(RunGroup group) throws LagbenchException {
        List<Instant> begins = session.begins();
        Duration taken = Duration.ZERO;
        for (RunSpec run : group.runs()) {
            Row row = rows.get(run.name());
            Instant end = row == null ? null : row.endedAt();
            Instant begin = end == null
                    ? null
                    : Stream.concat(
                                    Stream.ofNullable(ends.lower(end)),
                                    begins.stream().filter(end::isAfter))
                            .max(Instant::compareTo)
                            .orElse(null);
            taken = begin == null ? taken : taken.plus(Duration.between(begin, end));
        }
        return taken;
    }
}
