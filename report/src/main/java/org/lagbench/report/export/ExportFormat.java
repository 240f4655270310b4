package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** The formats that the packets of a run can be exported in. A new one is a class and its line here. */
public enum ExportFormat {
    /** Comma-separated values, a row a packet. */
    CSV("csv"),
    /** Apache Parquet, a row a packet. */
    PARQUET("parquet"),
    /** The log of HdrHistogram with a histogram of the lags a second. */
    HDR("hlog");

    private final String suffix;

    ExportFormat(String suffix) {
        this.suffix = suffix;
    }

    /** The name on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What names of its files end in, behind a dot. */
    public String suffix() {
        return suffix;
    }

    /**
     * Writes a file that is not there yet.
     *
     * @param causes what made the tail; null if that is not known
     * @return what the user must know of it, a sentence each
     */
    List<String> write(JoinedRun run, @Nullable PacketCauses causes, Path file) throws IOException, LagbenchException {
        switch (this) {
            case CSV -> CsvExport.write(new PacketTable(run, causes), file);
            case PARQUET -> ParquetExport.write(new PacketTable(run, causes), file);
            case HDR -> {
                return HdrExport.write(run, file);
            }
        }
        return List.of();
    }
}
