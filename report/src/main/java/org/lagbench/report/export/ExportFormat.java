package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.TextEnum;

/** The export formats of the packets of a run. */
public enum ExportFormat implements TextEnum {
    /** Comma-separated values, with one row per packet. */
    CSV,
    /** Apache Parquet, with one row per packet. */
    PARQUET,
    /** An HdrHistogram log, with one histogram of the lags per second. */
    HDR;

    /** Returns the file extension. */
    public String suffix() {
        return this == HDR ? "hlog" : text();
    }

    /**
     * Writes a new file.
     *
     * @param tail the packets that get a cause; null if causes were not recorded
     * @param marks what is wrong with the run
     * @return notes for the user
     */
    List<String> write(RunDirectory directory, JoinedRun run, @Nullable Tail tail, Exports.Marks marks, Path file)
            throws IOException, LagbenchException {
        switch (this) {
            case CSV -> new PacketTable(directory, run, tail, marks).writeCsv(file);
            case PARQUET -> ParquetExport.write(new PacketTable(directory, run, tail, marks), file);
            case HDR -> {
                return HdrExport.write(run, marks, file);
            }
        }
        return List.of();
    }
}
