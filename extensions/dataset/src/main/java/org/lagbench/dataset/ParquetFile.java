package org.lagbench.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;
import org.lagbench.report.export.PacketTable;

/**
 * Writes rows as Apache Parquet, compressed by Zstandard. 64-bit integers are delta-encoded; texts have a dictionary.
 * Any value may be absent. The key-value metadata have the unit of each column, as {@value #UNIT_KEY} and its name. The
 * same rows give the same bytes. Needs memory for 16 MiB of a row group.
 *
 * @param <R> the type of a row
 */
final class ParquetFile<R> implements AutoCloseable {
    /** The value of a column of integers in a row without one. */
    static final long ABSENT = PacketTable.ABSENT;

    /** The prefix of a column's name in the metadata. */
    static final String UNIT_KEY = "lagbench.unit.";

    /** A row group is kept in memory until it is full. */
    private static final long ROW_GROUP_BYTES = 16 << 20;

    private final ParquetWriter<R> writer;

    /**
     * Creates a file.
     *
     * @param metadata further key-value metadata
     */
    public ParquetFile(Path file, List<Column<R>> columns, Map<String, String> metadata) throws IOException {
        writer = new RowWriterBuilder<>(new LocalOutputFile(file), columns, metadata).build();
    }

    /** Returns a value of a file's key-value metadata; empty if it has none. */
    static String metadata(Path file, String key) throws IOException {
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file))) {
            return reader.getFileMetaData().getKeyValueMetaData().getOrDefault(key, "");
        } catch (RuntimeException e) { // a file that is not Parquet
            throw new IOException(file + " is not a Parquet file", e);
        }
    }

    /** Appends a row, of which it keeps nothing. */
    public void write(R row) throws IOException {
        writer.write(row);
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }

    /**
     * A column.
     *
     * @param name ends with the unit if there is one
     * @param unit the unit, or the meaning of the values
     * @param type an integer, a floating-point number, or a text in UTF-8
     */
    public record Column<R>(String name, String unit, PrimitiveTypeName type, Field<R> field) {
        /** Describes a column of integers, {@link #ABSENT} in rows without a value. */
        public static <R> Column<R> ofLong(String name, String unit, ToLongFunction<R> reader) {
            return new Column<>(name, unit, PrimitiveTypeName.INT64, (row, at, consumer) -> {
                long value = reader.applyAsLong(row);
                if (value != ABSENT) {
                    consumer.startField(name, at);
                    consumer.addLong(value);
                    consumer.endField(name, at);
                }
            });
        }

        /** Describes a column of floating-point numbers, NaN in rows without a value. */
        public static <R> Column<R> ofDouble(String name, String unit, ToDoubleFunction<R> reader) {
            return new Column<>(name, unit, PrimitiveTypeName.DOUBLE, (row, at, consumer) -> {
                double value = reader.applyAsDouble(row);
                if (!Double.isNaN(value)) {
                    consumer.startField(name, at);
                    consumer.addDouble(value);
                    consumer.endField(name, at);
                }
            });
        }

        /** Describes a column of texts, null in rows without one. */
        public static <R> Column<R> ofText(String name, String unit, Function<R, @Nullable String> reader) {
            return new Column<>(name, unit, PrimitiveTypeName.BINARY, (row, at, consumer) -> {
                String value = reader.apply(row);
                if (value != null) {
                    consumer.startField(name, at);
                    consumer.addBinary(Binary.fromString(value));
                    consumer.endField(name, at);
                }
            });
        }
    }

    /** Returns the type of a column in a file's schema. */
    static Type type(String name, boolean mayBeAbsent, PrimitiveTypeName type) {
        Type.Repetition repetition = mayBeAbsent ? Type.Repetition.OPTIONAL : Type.Repetition.REQUIRED;
        PrimitiveType primitive = new PrimitiveType(repetition, type, name);
        return type == PrimitiveTypeName.BINARY
                ? primitive.withLogicalTypeAnnotation(LogicalTypeAnnotation.stringType())
                : primitive;
    }

    /** Writes the value of a row into its column. */
    @FunctionalInterface
    public interface Field<R> {
        void write(R row, int at, RecordConsumer consumer);
    }

    /** Builds a writer of rows. */
    private static final class RowWriterBuilder<R> extends ParquetWriter.Builder<R, RowWriterBuilder<R>> {
        private final RowWriteSupport<R> support;

        RowWriterBuilder(OutputFile file, List<Column<R>> columns, Map<String, String> metadata) {
            super(file);
            support = new RowWriteSupport<>(columns, metadata);
            withConf(new PlainParquetConfiguration());
            withWriteMode(ParquetFileWriter.Mode.CREATE);
            withCompressionCodec(CompressionCodecName.ZSTD);
            withRowGroupSize(ROW_GROUP_BYTES);
            withWriterVersion(WriterVersion.PARQUET_2_0);
            withDictionaryEncoding(false);
            columns.stream()
                    .filter(column -> column.type() == PrimitiveTypeName.BINARY)
                    .forEach(column -> withDictionaryEncoding(column.name(), true));
        }

        @Override
        protected RowWriterBuilder<R> self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // abstract, though replaced by the overload below
        protected WriteSupport<R> getWriteSupport(Configuration configuration) {
            return support;
        }

        @Override
        protected WriteSupport<R> getWriteSupport(ParquetConfiguration configuration) {
            return support;
        }
    }

    /** Writes the values of a row into columns. */
    private static final class RowWriteSupport<R> extends WriteSupport<R> {
        private final List<Field<R>> fields;
        private final WriteContext context;

        @SuppressWarnings("NullAway.Init") // the library sets it before the first row
        private RecordConsumer consumer;

        RowWriteSupport(List<Column<R>> columns, Map<String, String> metadata) {
            Map<String, String> all = new LinkedHashMap<>(metadata);
            columns.forEach(column -> all.put(UNIT_KEY + column.name(), column.unit()));
            List<Type> types = columns.stream()
                    .map(column -> type(column.name(), true, column.type()))
                    .toList();
            fields = columns.stream().map(Column::field).toList();
            context = new WriteContext(new MessageType("row", types), all);
        }

        @Override
        @SuppressWarnings("deprecation") // abstract, though replaced by the overload below
        public WriteContext init(Configuration configuration) {
            return context;
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration) {
            return context;
        }

        @Override
        public void prepareForWrite(RecordConsumer recordConsumer) {
            consumer = recordConsumer;
        }

        @Override
        public void write(R row) {
            consumer.startMessage();
            for (int i = 0; i < fields.size(); i++) {
                fields.get(i).write(row, i, consumer);
            }
            consumer.endMessage();
        }
    }
}
