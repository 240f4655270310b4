package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.apache.parquet.io.api.Binary;
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
        try (ParquetFile<long[]> parquet =
                new ParquetFile<>(file, ParquetFile.Layout.UNCOMPRESSED, columns(), metadata)) {
            table.forEach(parquet::write);
        }
    }

    private static List<ParquetFile.Column<long[]>> columns() {
        List<ParquetFile.Column<long[]>> columns = new ArrayList<>();
        List<PacketTable.Column> packet = PacketTable.columns();
        for (int i = 0; i < packet.size(); i++) {
            columns.add(column(packet.get(i), i));
        }
        return columns;
    }

    /** Returns the column of values at an index of the rows of {@link PacketTable}. */
    static ParquetFile.Column<long[]> column(PacketTable.Column column, int at) {
        LongFunction<String> words = column.words();
        return words == null
                ? ParquetFile.Column.ofLong(column.name(), column.unit(), column.mayBeAbsent(), row -> row[at])
                : ParquetFile.Column.ofBinary(
                        column.name(),
                        column.unit(),
                        column.mayBeAbsent(),
                        row -> row[at] == PacketTable.ABSENT
                                ? null
                                : Binary.fromString(Objects.requireNonNull(words.apply(row[at]))));
    }
}
