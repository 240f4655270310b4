package org.lagbench.report.table;

import java.nio.file.Path;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.WholeFile;

/** The files {@code summary.csv} and {@code summary.json} of a session directory. */
public final class SummaryFiles {
    public static final String CSV = "summary.csv";
    public static final String JSON = "summary.json";

    private SummaryFiles() {}

    /**
     * Writes both files. A reader finds the old files or the new ones, never a part of one.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if one cannot be written; it is then unchanged
     */
    public static void write(Path sessionDirectory, Summary summary) throws LagbenchException {
        WholeFile.write(sessionDirectory.resolve(CSV), TableFormat.CSV.text(summary));
        WholeFile.write(sessionDirectory.resolve(JSON), TableFormat.JSON.text(summary));
    }
}
