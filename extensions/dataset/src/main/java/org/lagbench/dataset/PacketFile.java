package org.lagbench.dataset;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.apache.parquet.bytes.ByteBufferAllocator;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.LongStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.plain.PlainValuesWriter;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.CodecFactory;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.lagbench.report.export.PacketTable;

/**
 * Writes rows of 64-bit integers as Apache Parquet, one page of a column after the other, which needs a fraction of the
 * time of {@link ParquetFile}. Numbers are delta-encoded; words are strings with a dictionary. The same rows give the
 * same bytes.
 *
 * <p>Needs memory for a row group as it is stored, and for a page of each column.
 */
final class PacketFile implements AutoCloseable {
    private static final int PAGE_ROWS = 20_000;
    private static final int ROW_GROUP_ROWS = 50 * PAGE_ROWS;
    private static final int SLAB_BYTES = 1 << 16;
    private static final int TRUNCATED_BYTES = 64;
    private static final ByteBufferAllocator ALLOCATOR = HeapByteBufferAllocator.getInstance();

    private final List<PacketTable.Column> columns;
    private final Map<String, String> metadata;
    private final MessageType schema;
    private final CodecFactory codecs;
    private final BytesInputCompressor compressor;
    private final ParquetFileWriter file;
    private final long[][] values;
    private final long[] present = new long[PAGE_ROWS];
    private final List<Map<Long, Integer>> dictionaries = new ArrayList<>();
    private final DeltaBinaryPackingValuesWriterForLong deltas =
            new DeltaBinaryPackingValuesWriterForLong(SLAB_BYTES, SLAB_BYTES, ALLOCATOR);
    private final RunLengthBitPackingHybridEncoder levels =
            new RunLengthBitPackingHybridEncoder(1, SLAB_BYTES, SLAB_BYTES, ALLOCATOR);
    private ColumnChunkPageWriteStore pages;
    private int pageRows;
    private int groupRows;

    PacketFile(Path path, List<PacketTable.Column> columns, CompressionCodecName codec, Map<String, String> metadata)
            throws IOException {
        this.columns = columns;
        this.metadata = new LinkedHashMap<>(metadata);
        List<Type> types = new ArrayList<>();
        for (PacketTable.Column column : columns) {
            this.metadata.put(ParquetFile.UNIT_KEY + column.name(), column.unit());
            types.add(ParquetFile.type(
                    column.name(),
                    column.mayBeAbsent(),
                    column.words() == null ? PrimitiveTypeName.INT64 : PrimitiveTypeName.BINARY));
            dictionaries.add(new LinkedHashMap<>());
        }
        schema = new MessageType("row", types);
        values = new long[columns.size()][PAGE_ROWS];
        codecs = new CodecFactory(new PlainParquetConfiguration(), SLAB_BYTES);
        compressor = codecs.getCompressor(codec);
        file = new ParquetFileWriter(
                new LocalOutputFile(path),
                schema,
                ParquetFileWriter.Mode.CREATE,
                0,
                0,
                null,
                ParquetProperties.builder().build());
        file.start();
        pages = openPages();
    }

    /** Appends a row, which has {@link ParquetFile#ABSENT} for columns without a value, and is not kept. */
    void write(long[] row) throws IOException {
        for (int column = 0; column < values.length; column++) {
            values[column][pageRows] = row[column];
        }
        if (++pageRows == PAGE_ROWS) {
            endPage();
        }
    }

    @Override
    public void close() throws IOException {
        try (file) {
            endPage();
            endGroup();
            file.end(metadata);
        } finally {
            codecs.release();
        }
    }

    private ColumnChunkPageWriteStore openPages() {
        return ColumnChunkPageWriteStore.builder()
                .withCompressorProvider(column -> compressor)
                .withSchema(schema)
                .withAllocator(ALLOCATOR)
                .withColumnIndexTruncateLength(TRUNCATED_BYTES)
                .build();
    }

    private void endPage() throws IOException {
        if (pageRows > 0) {
            for (int column = 0; column < values.length; column++) {
                writePage(column);
            }
            groupRows += pageRows;
            pageRows = 0;
        }
        if (groupRows == ROW_GROUP_ROWS) {
            endGroup();
        }
    }

    private void endGroup() throws IOException {
        if (groupRows > 0) {
            for (int column = 0; column < values.length; column++) {
                LongFunction<String> words = columns.get(column).words();
                if (words != null) {
                    writeDictionary(column, words);
                }
            }
            file.startBlock(groupRows);
            pages.flushToFileWriter(file);
            file.endBlock();
            groupRows = 0;
        }
        pages.close();
        pages = openPages();
    }

    private void writePage(int column) throws IOException {
        int count = 0;
        for (int i = 0; i < pageRows; i++) {
            long value = values[column][i];
            if (value != ParquetFile.ABSENT) {
                present[count++] = value;
            }
        }
        ColumnDescriptor descriptor = schema.getColumns().get(column);
        Statistics<?> statistics = Statistics.createStats(descriptor.getPrimitiveType());
        statistics.incrementNumNulls(pageRows - count);
        LongFunction<String> words = columns.get(column).words();
        Encoding encoding = words == null
                ? Encoding.DELTA_BINARY_PACKED
                : count == 0
                        ? Encoding.PLAIN
                        : Encoding.RLE_DICTIONARY; // some readers require a dictionary with entries
        BytesInput data = words == null
                ? numbers(count, (LongStatistics) statistics)
                : count == 0 ? BytesInput.empty() : indexes(count, dictionaries.get(column), words, statistics);
        pages.getPageWriter(descriptor)
                .writePageV2(
                        pageRows,
                        pageRows - count,
                        pageRows,
                        BytesInput.empty(),
                        descriptor.getMaxDefinitionLevel() == 0 ? BytesInput.empty() : levels(values[column], count),
                        encoding,
                        data,
                        statistics);
    }

    /** Encodes which rows have a value. */
    private BytesInput levels(long[] rows, int count) throws IOException {
        if (count == 0 || count == pageRows) { // a run
            return BytesInput.concat(
                    BytesInput.fromUnsignedVarInt(pageRows << 1),
                    BytesInput.from(new byte[] {(byte) (count == 0 ? 0 : 1)}));
        }
        levels.reset();
        for (int i = 0; i < pageRows; i++) {
            levels.writeInt(rows[i] == ParquetFile.ABSENT ? 0 : 1);
        }
        return levels.toBytes();
    }

    private BytesInput numbers(int count, LongStatistics statistics) {
        deltas.reset();
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            long value = present[i];
            min = Math.min(min, value);
            max = Math.max(max, value);
            deltas.writeLong(value);
        }
        if (count > 0) {
            statistics.setMinMax(min, max);
        }
        return deltas.getBytes();
    }

    private BytesInput indexes(
            int count, Map<Long, Integer> dictionary, LongFunction<String> words, Statistics<?> statistics)
            throws IOException {
        long word = ParquetFile.ABSENT;
        int index = 0;
        for (int i = 0; i < count; i++) {
            if (present[i] != word) {
                word = present[i];
                Integer known = dictionary.putIfAbsent(word, dictionary.size());
                index = known == null ? dictionary.size() - 1 : known;
                statistics.updateStats(binary(words, word));
            }
            present[i] = index;
        }
        int bits = BytesUtils.getWidthFromMaxInt(dictionary.size() - 1);
        try (RunLengthBitPackingHybridEncoder encoder =
                new RunLengthBitPackingHybridEncoder(bits, SLAB_BYTES, SLAB_BYTES, ALLOCATOR)) {
            for (int i = 0; i < count; i++) {
                encoder.writeInt((int) present[i]);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(bits);
            encoder.toBytes().writeAllTo(bytes);
            return BytesInput.from(bytes);
        }
    }

    private void writeDictionary(int column, LongFunction<String> words) throws IOException {
        Map<Long, Integer> dictionary = dictionaries.get(column);
        if (dictionary.isEmpty()) {
            return;
        }
        PlainValuesWriter all = new PlainValuesWriter(SLAB_BYTES, SLAB_BYTES, ALLOCATOR);
        dictionary.keySet().forEach(word -> all.writeBytes(binary(words, word)));
        PageWriter page = pages.getPageWriter(schema.getColumns().get(column));
        page.writeDictionaryPage(new DictionaryPage(all.getBytes(), dictionary.size(), Encoding.PLAIN));
        dictionary.clear();
    }

    private static Binary binary(LongFunction<String> words, long word) {
        return Binary.fromString(Objects.requireNonNull(words.apply(word)));
    }
}
