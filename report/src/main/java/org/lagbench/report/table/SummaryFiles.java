package org.lagbench.report.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;

/** The files {@code summary.csv} and {@code summary.json} of a session directory. */
public final class SummaryFiles {
    /** The comma-separated values. */
    public static final String CSV = "summary.csv";

    /** The JSON. */
    public static final String JSON = "summary.json";

    private SummaryFiles() {}

    /**
     * Makes both files, or makes them again. A reader finds the old ones or the new ones, never half a file.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if one cannot be written; it is then as it was
     */
    public static void write(Path sessionDirectory, Summary summary) throws LagbenchException {
        write(sessionDirectory.resolve(CSV), TableFormat.CSV, summary);
        write(sessionDirectory.resolve(JSON), TableFormat.JSON, summary);
    }

    private static void write(Path file, TableFormat format, Summary summary) throws LagbenchException {
        StringBuilder text = new StringBuilder();
        try {
            format.write(summary, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder takes everything
        }
        WholeFile.write(file, text);
    }
}
