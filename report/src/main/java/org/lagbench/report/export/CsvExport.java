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
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.export.PacketTable.Column;

/**
 * Writes packets as comma-separated values (RFC 4180, but lines end with a line feed), with one row per packet. Absent
 * values are empty.
 */
public final class CsvExport extends ExportFormat {
    public CsvExport() {
        super("csv", 0);
    }

    @Override
    protected List<String> write(
            RunDirectory directory, JoinedRun run, SummaryOptions options, Exports.Marks marks, Path file)
            throws IOException, LagbenchException {
        List<Column> columns = PacketTable.columns();
        try (Writer out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW)) {
            out.write(columns.stream().map(Column::name).collect(Collectors.joining(",", "", "\n")));
            StringBuilder line = new StringBuilder();
            new PacketTable(directory, run, options.tail(), marks).forEach(row -> {
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
        return List.of();
    }
}
