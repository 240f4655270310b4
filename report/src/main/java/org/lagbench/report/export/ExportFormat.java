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
    CSV("csv") {
        @Override
        List<String> write(JoinedRun run, @Nullable PacketCauses causes, Path file)
                throws IOException, LagbenchException {
            CsvExport.write(new PacketTable(run, causes), file);
            return List.of();
        }
    },
    /** Apache Parquet, a row a packet. */
    PARQUET("parquet") {
        @Override
        List<String> write(JoinedRun run, @Nullable PacketCauses causes, Path file)
                throws IOException, LagbenchException {
            ParquetExport.write(new PacketTable(run, causes), file);
            return List.of();
        }
    },
    /** The log of HdrHistogram with a histogram of the lags a second. */
    HDR("hlog") {
        @Override
        List<String> write(JoinedRun run, @Nullable PacketCauses causes, Path file)
                throws IOException, LagbenchException {
            return HdrExport.write(run, file);
        }
    };

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
    abstract List<String> write(JoinedRun run, @Nullable PacketCauses causes, Path file)
            throws IOException, LagbenchException;
}
