package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.lagbench.core.failure.LagbenchException;

/**
 * Writes packets as Apache Parquet: 64-bit integers, and words as strings, optional if packets may be without them.
 * Columns are delta-encoded but not compressed, so that readers need no codec. The file's key-value metadata have the
 * unit of each column, as {@value #UNIT_KEY} and its name.
 *
 * <p>Needs memory for a row group of {@value #ROW_GROUP_BYTES} bytes.
 */
final class ParquetExport {
    /** The prefix of a column's name in the metadata. */
    static final String UNIT_KEY = "lagbench.unit.";

    /** The key of what is wrong with the run, one line each; absent if nothing is. */
    static final String MARKS_KEY = "lagbench.marks";

    private static final long ROW_GROUP_BYTES = 16L << 20;

    private ParquetExport() {}

    static void write(PacketTable table, Path file) throws IOException, LagbenchException {
        try (ParquetWriter<long[]> writer = new RowWriterBuilder(new LocalOutputFile(file), table).build()) {
            table.forEach(writer::write);
        }
    }

    /** Builds a writer of rows. */
    private static final class RowWriterBuilder extends ParquetWriter.Builder<long[], RowWriterBuilder> {
        private final PacketTable table;

        RowWriterBuilder(OutputFile file, PacketTable table) {
            super(file);
            this.table = table;
            withConf(new PlainParquetConfiguration());
            withWriteMode(ParquetFileWriter.Mode.CREATE);
            withCompressionCodec(CompressionCodecName.UNCOMPRESSED);
            withWriterVersion(WriterVersion.PARQUET_2_0);
            withDictionaryEncoding(false);
            withRowGroupSize(ROW_GROUP_BYTES);
        }

        @Override
        protected RowWriterBuilder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // abstract, though replaced by the overload below
        protected WriteSupport<long[]> getWriteSupport(Configuration configuration) {
            return new RowWriteSupport(table);
        }

        @Override
        protected WriteSupport<long[]> getWriteSupport(ParquetConfiguration configuration) {
            return new RowWriteSupport(table);
        }
    }

    /** Writes the values of a row into columns. */
    private static final class RowWriteSupport extends WriteSupport<long[]> {
        private final List<PacketTable.Column> columns;
        private final Exports.Marks marks;

        @SuppressWarnings("NullAway.Init") // the library sets it before the first row
        private RecordConsumer consumer;

        RowWriteSupport(PacketTable table) {
            this.columns = PacketTable.columns();
            this.marks = table.marks();
        }

        @Override
        @SuppressWarnings("deprecation") // abstract, though replaced by the overload below
        public WriteContext init(Configuration configuration) {
            return context();
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration) {
            return context();
        }

        private WriteContext context() {
            List<Type> types = new ArrayList<>();
            Map<String, String> metadata = new LinkedHashMap<>();
            metadata.put("lagbench.format", "lagbench-packets-1");
            if (!marks.sentences().isEmpty()) {
                metadata.put(MARKS_KEY, String.join("\n", marks.sentences()));
            }
            for (PacketTable.Column column : columns) {
                Type.Repetition repetition = column.mayBeAbsent() ? Type.Repetition.OPTIONAL : Type.Repetition.REQUIRED;
                types.add(
                        column.words() != null
                                ? Types.primitive(PrimitiveTypeName.BINARY, repetition)
                                        .as(LogicalTypeAnnotation.stringType())
                                        .named(column.name())
                                : new PrimitiveType(repetition, PrimitiveTypeName.INT64, column.name()));
                metadata.put(UNIT_KEY + column.name(), column.unit());
            }
            return new WriteContext(new MessageType("packet", types), metadata);
        }

        @Override
        public void prepareForWrite(RecordConsumer recordConsumer) {
            consumer = recordConsumer;
        }

        @Override
        public void write(long[] row) {
            consumer.startMessage();
            for (int i = 0; i < row.length; i++) {
                if (row[i] != PacketTable.ABSENT) {
                    PacketTable.Column column = columns.get(i);
                    consumer.startField(column.name(), i);
                    if (column.words() != null) {
                        consumer.addBinary(Binary.fromString(column.words().apply(row[i])));
                    } else {
                        consumer.addLong(row[i]);
                    }
                    consumer.endField(column.name(), i);
                }
            }
            consumer.endMessage();
        }
    }
}
