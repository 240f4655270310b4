package org.lagbench.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.export.ExportFormat;
import org.lagbench.report.export.Exports;
import org.lagbench.report.export.PacketTable;

/** Writes packets as Apache Parquet: 64-bit integers, and words as strings, optional if packets may be without them. */
public final class ParquetExport extends ExportFormat {
    /** The key of what is wrong with the run, one line each; absent if nothing is. */
    static final String MARKS_KEY = "lagbench.marks";

    public ParquetExport() {
        super("parquet", 10);
    }

    @Override
    protected List<String> write(
            RunDirectory directory, JoinedRun run, SummaryOptions options, Exports.Marks marks, Path file)
            throws IOException, LagbenchException {
        PacketTable table = new PacketTable(directory, run, options.tail(), marks);
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("lagbench.format", "lagbench-packets-1");
        if (!marks.sentences().isEmpty()) {
            metadata.put(MARKS_KEY, String.join("\n", marks.sentences()));
        }
        // Uncompressed, so that readers need no codec.
        try (PacketFile parquet =
                new PacketFile(file, PacketTable.columns(), CompressionCodecName.UNCOMPRESSED, metadata)) {
            table.forEach(parquet::write);
        }
        return List.of();
    }
}
