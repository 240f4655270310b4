package org.lagbench.core.timeseries;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.file.StrictJson;

/**
 * The series of a monitor's session: its file {@value #FILE_NAME}, which makes a directory such a session.
 *
 * @param format always {@value #FORMAT}
 * @param startNs when the first probes were due, in ns since the epoch
 * @param series all series in the order of tables
 */
public record SeriesIndex(String format, long startNs, List<SeriesInfo> series) {
    public static final String FILE_NAME = "series.json";
    public static final String FORMAT = "lagbench-series-1";

    /** The maximum number of characters of a series' name, which begins the names of its files. */
    public static final int MAX_NAME = 200;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (MAX_NAME - 1) + "}");

    public SeriesIndex {
        series = List.copyOf(series);
        Set<String> names = new HashSet<>();
        for (SeriesInfo one : series) {
            if (!NAME.matcher(one.name()).matches() || !names.add(one.name())) {
                throw new IllegalArgumentException(
                        "the name of a series is invalid or used twice: \"" + one.name() + "\"");
            }
        }
    }

    /** Creates the index of a new session. */
    public SeriesIndex(long startNs, List<SeriesInfo> series) {
        this(FORMAT, startNs, series);
    }

    /** Returns whether a directory is a monitor's session. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(FILE_NAME));
    }

    public void write(Path session) throws LagbenchException {
        AtomicFile.write(session.resolve(FILE_NAME), StrictJson.indented(StrictJson.tree(this)));
    }

    /**
     * Reads the file.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if it cannot be read or used
     */
    public static SeriesIndex read(Path session) throws LagbenchException {
        FileTree.requireFiles(session);
        return StrictJson.read(session.resolve(FILE_NAME), FORMAT, SeriesIndex.class);
    }
}
