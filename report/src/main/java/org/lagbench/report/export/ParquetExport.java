package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.lagbench.core.failure.LagbenchException;

/** Writes packets as Apache Parquet: 64-bit integers, and words as strings, optional if packets may be without them. */
final class ParquetExport {
    /** The key of what is wrong with the run, one line each; absent if nothing is. */
    static final String MARKS_KEY = "lagbench.marks";

    private ParquetExport() {}

    static void write(PacketTable table, Path file) throws IOException, LagbenchException {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("lagbench.format", "lagbench-packets-1");
        if (!table.marks().sentences().isEmpty()) {
            metadata.put(MARKS_KEY, String.join("\n", table.marks().sentences()));
        }
        // Uncompressed, so that readers need no codec.
        try (PacketFile parquet =
                new PacketFile(file, PacketTable.columns(), CompressionCodecName.UNCOMPRESSED, metadata)) {
            table.forEach(parquet::write);
        }
    }
}
