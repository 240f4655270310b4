package org.lagbench.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.report.export.PacketTable;

class PacketFileTest {
    private static final List<PacketTable.Column> COLUMNS = List.of(
            new PacketTable.Column("seq", "number", false),
            new PacketTable.Column("lag_ns", "ns", true),
            new PacketTable.Column("late", "word", true, word -> word == 7 ? "seven" : "word " + word));

    private static final int PAGE_ROWS = 20_000;

    @TempDir
    private Path directory;

    @Test
    void readsBackAllPages() throws Exception {
        int rows = 3 * PAGE_ROWS + 7;
        Path file = write(rows);
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
            MessageType schema = reader.getFileMetaData().getSchema();
            assertThat(reader.getRowGroups())
                    .singleElement()
                    .extracting(BlockMetaData::getRowCount)
                    .isEqualTo((long) rows);
            PageReadStore pages = reader.readNextRowGroup();
            RecordReader<Group> records =
                    new ColumnIOFactory().getColumnIO(schema).getRecordReader(pages, new GroupRecordConverter(schema));
            for (int i = 0; i < rows; i++) {
                Group group = records.read();
                assertThat(group.getLong("seq", 0)).isEqualTo(i);
                assertThat(group.getFieldRepetitionCount("lag_ns")).isEqualTo(hasLag(i) ? 1 : 0);
                if (hasLag(i)) {
                    assertThat(group.getLong("lag_ns", 0)).isEqualTo(lag(i));
                }
                assertThat(group.getFieldRepetitionCount("late")).isEqualTo(word(i) == PacketTable.ABSENT ? 0 : 1);
                if (word(i) != PacketTable.ABSENT) {
                    assertThat(group.getString("late", 0)).isEqualTo(word(i) == 7 ? "seven" : "word " + word(i));
                }
            }
        }
    }

    @Test
    void recordsRangesAndAbsentValues() throws Exception {
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(write(50 * PAGE_ROWS + 3)))) {
            assertThat(reader.getRowGroups())
                    .extracting(BlockMetaData::getRowCount)
                    .containsExactly(1_000_000L, 3L);
            ColumnChunkMetaData lags = reader.getRowGroups().get(0).getColumns().get(1);
            assertThat(lags.getStatistics().minAsString()).isEqualTo(Long.toString(Long.MIN_VALUE + 1));
            assertThat(lags.getStatistics().maxAsString()).isEqualTo("999999000");
            ColumnChunkMetaData words =
                    reader.getRowGroups().get(1).getColumns().get(2);
            assertThat(words.getStatistics().getNumNulls()).isEqualTo(2);
            assertThat(words.getStatistics().minAsString()).isEqualTo("word 280");
        }
    }

    private Path write(int rows) throws Exception {
        Path file = directory.resolve("packets.parquet");
        try (PacketFile packets = new PacketFile(file, COLUMNS, CompressionCodecName.ZSTD, Map.of())) {
            long[] row = new long[3];
            for (int i = 0; i < rows; i++) {
                row[0] = i;
                row[1] = hasLag(i) ? lag(i) : PacketTable.ABSENT;
                row[2] = word(i);
                packets.write(row);
            }
        }
        return file;
    }

    /** All lags of the second page are absent. */
    private static boolean hasLag(int i) {
        return i / PAGE_ROWS != 1 && i % 3 != 1;
    }

    private static long lag(int i) {
        return i == 0 ? Long.MIN_VALUE + 1 : i * 1_000L;
    }

    /** Each page but the first has words, some of them new. */
    private static long word(int i) {
        return i < PAGE_ROWS || i % 10 != 0 ? PacketTable.ABSENT : i / 10 % (1 + i / PAGE_ROWS) * 7L;
    }
}
