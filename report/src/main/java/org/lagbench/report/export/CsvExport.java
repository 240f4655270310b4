package org.lagbench.report.export;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.lagbench.core.failure.LagbenchException;

/** Writes packets as comma-separated values (RFC 4180, but lines end with a line feed); absent values are empty. */
final class CsvExport {
    private CsvExport() {}

    static void write(PacketTable table, Path file) throws IOException, LagbenchException {
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW)) {
            List<PacketColumn> columns = table.columns();
            out.write(columns.stream().map(PacketColumn::name).collect(Collectors.joining(",", "", "\n")));
            StringBuilder line = new StringBuilder();
            table.forEach(row -> {
                line.setLength(0);
                for (int i = 0; i < row.length; i++) {
                    LongFunction<String> words = columns.get(i).words();
                    if (row[i] != PacketTable.ABSENT && words != null) {
                        line.append(words.apply(row[i]));
                    } else if (row[i] != PacketTable.ABSENT) {
                        line.append(row[i]);
                    }
                    line.append(',');
                }
                line.setCharAt(line.length() - 1, '\n');
                out.append(line);
            });
        }
    }
}
