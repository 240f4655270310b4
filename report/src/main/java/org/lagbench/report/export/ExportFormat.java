package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** The export formats of the packets of a run. */
public enum ExportFormat {
    /** Comma-separated values, with one row per packet. */
    CSV("csv"),
    /** Apache Parquet, with one row per packet. */
    PARQUET("parquet"),
    /** An HdrHistogram log, with one histogram of the lags per second. */
    HDR("hlog");

    private final String suffix;

    ExportFormat(String suffix) {
        this.suffix = suffix;
    }

    /** Returns the name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the file extension. */
    public String suffix() {
        return suffix;
    }

    /**
     * Writes a new file.
     *
     * @param answers when packets were answered; null if they were not
     * @param causes the causes of the tail; null if they were not recorded
     * @param marks what is wrong with the run
     * @return notes for the user
     */
    List<String> write(
            JoinedRun run, @Nullable PacketAnswers answers, @Nullable PacketCauses causes, RunMarks marks, Path file)
            throws IOException, LagbenchException {
        switch (this) {
            case CSV -> CsvExport.write(new PacketTable(run, answers, causes, marks), file);
            case PARQUET -> ParquetExport.write(new PacketTable(run, answers, causes, marks), file);
            case HDR -> {
                return HdrExport.write(run, marks, file);
            }
        }
        return List.of();
    }
}
