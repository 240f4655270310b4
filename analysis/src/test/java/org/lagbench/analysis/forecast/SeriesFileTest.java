package org.lagbench.analysis.forecast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.analysis.forecast.SeriesFile.TimedSeries;
import org.lagbench.core.capture.CaptureFormat;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class SeriesFileTest {
    private static final double MISSING = Double.NaN;

    private final Path file;

    SeriesFileTest(@TempDir Path directory) {
        this.file = directory.resolve("series");
    }

    private TimedSeries read(String text, SeriesColumns columns) throws IOException, LagbenchException {
        Files.writeString(file, text);
        return SeriesFile.read(file.toString(), columns);
    }

    private TimedSeries read(String text) throws IOException, LagbenchException {
        return read(text, SeriesColumns.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1\n2.5\n\n-3e2\n",
                "# a comment\nlag\n1\n2.5\n-300",
                "\ufeffat,value\r\n10,1\r\n20,2.5\r\n30,-300\r\n",
                "value;name\n1;a\n2.5;b\n-300;c\n",
                "at\tvalue\n1\t1\n2\t2.5\n3\t-300\n",
                "  at   value\n 1  1\n 2  2.5\n 3  -300\n",
                "\"a, b\",\"value\"\n\"x, y\",1\n\"\",\"2.5\"\n,-300\n"
            })
    void readsTextFiles(String text) throws Exception {
        assertThat(read(text).values()).containsExactly(1, 2.5, -300);
    }

    @Test
    void readsMissingValues() throws Exception {
        assertThat(read("at,value\n1,\n2,NaN\n3,NA\n4,7\n5,null\n").values())
                .containsExactly(MISSING, MISSING, MISSING, 7, MISSING);
    }

    @Test
    void choosesColumnsByNameAndNumber() throws Exception {
        String text = "t,a,b\n1,10,100\n2,20,200\n";
        assertThat(read(text, new SeriesColumns("b", "t")).values()).containsExactly(100, 200);
        assertThat(read(text, new SeriesColumns("2", null)).values()).containsExactly(10, 20);
        assertThat(read("1 5\n2 6\n", new SeriesColumns("2", "1")).times()).containsExactly(1, 2);
        assertThat(read("1\n2\n").times()).containsExactly(1, 2);
    }

    @Test
    void readsDates() throws Exception {
        String text = "at,value\n1970-01-01T00:00:01Z,1\n1970-01-01 00:00:01.5,2\n1970-01-01T01:00:02+01:00,3\n";
        assertThat(read(text).times()).containsExactly(1, 1.5, 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "value\\n1\\n\\nten | :4: \"ten\" is not a finite number; leave the field empty for a missing value.",
                "value\\n1\\nInfinity | :3: \"Infinity\" is not a finite number",
                "at,value\\n2,1\\n1,5 | :3: the time is before that of the line above; sort the file by time.",
                "at,value\\n2,1\\n3 | :3: the line has 1 columns; column 2 is missing.",
                "at,value\\n0,40,5 | :2: the line has 3 fields, but the first line has 2. Write numbers",
                "at,value\\nyesterday,1 | :2: \"yesterday\" is not a time",
                "at,value\\n1,\\n2, |  has no values.",
                "# nothing | has no values."
            })
    void namesFileAndLineOfAnError(String text, String message) {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> read(text.replace("\\n", "\n")))
                .withMessageStartingWith(file.toString())
                .withMessageContaining(message)
                .matches(failure -> failure.exitCode() == ExitCode.FILES);
    }

    @Test
    void asksForAColumnIfThereAreSeveral() {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> read("a,b\n1,2\n"))
                .withMessage(file + " has 2 columns (a, b); choose one with --column.");
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> read("a,b\n1,2\n", new SeriesColumns("c", null)))
                .withMessage(file + " has no column \"c\"; it has a, b.")
                .matches(failure -> failure.exitCode() == ExitCode.USAGE);
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> SeriesFile.read(file + "-none", SeriesColumns.DEFAULT))
                .withMessage(file + "-none cannot be read: there is no such file or directory.");
    }

    @ParameterizedTest
    @CsvSource({
        "1f8b0800, is compressed by gzip; decompress it first",
        "504b0304, is a ZIP archive",
        "fffe7600, is text in UTF-16; convert it first",
        "feff0076, is text in UTF-16; convert it first",
        "76006100, is binary or in UTF-16"
    })
    void namesFormatOfFileThatIsNotText(String begin, String message) throws Exception {
        Files.write(file, HexFormat.of().parseHex(begin + "0a310a"));

        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> SeriesFile.read(file.toString(), SeriesColumns.DEFAULT))
                .withMessageStartingWith(file + " " + message)
                .matches(failure -> failure.exitCode() == ExitCode.FILES);
    }

    private void writeNpy(int version, String header, ByteBuffer records) throws IOException {
        byte[] text = (header + "\n").getBytes(StandardCharsets.US_ASCII);
        ByteBuffer all = ByteBuffer.allocate(12 + text.length + records.limit()).order(ByteOrder.LITTLE_ENDIAN);
        all.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) version, 0});
        if (version == 1) {
            all.putShort((short) text.length);
        } else {
            all.putInt(text.length);
        }
        all.put(text).put(records.rewind()).flip();
        byte[] bytes = new byte[all.limit()];
        all.get(bytes);
        Files.write(file, bytes);
    }

    private double[] readNpy(SeriesColumns columns) throws LagbenchException {
        return SeriesFile.read(file.toString(), columns).values();
    }

    @Test
    void readsNumPyArrays() throws Exception {
        ByteBuffer little = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        little.putDouble(1).putDouble(MISSING).putDouble(-2.5);
        writeNpy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", little);
        assertThat(readNpy(SeriesColumns.DEFAULT)).containsExactly(1, MISSING, -2.5);
        ByteBuffer big = ByteBuffer.allocate(8).putInt(7).putInt(-8);
        writeNpy(2, "{'descr': '>i4', 'fortran_order': False, 'shape': (2,), }", big);
        assertThat(readNpy(SeriesColumns.DEFAULT)).containsExactly(7, -8);
        ByteBuffer table = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        table.putFloat(1).putFloat(10).putFloat(2).putFloat(20);
        writeNpy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }", table);
        assertThat(readNpy(new SeriesColumns("2", "1"))).containsExactly(10, 20);
    }

    @Test
    void readsNumPyRecords() throws Exception {
        ByteBuffer records = ByteBuffer.allocate(34).order(ByteOrder.LITTLE_ENDIAN);
        records.putLong(1000).putDouble(1.5).put((byte) 3);
        records.putLong(2000).putDouble(2.5).put((byte) 200);
        String header = "{'descr': [('at', '<M8[ns]'), ('value', '<f8'), ('state', '|u1')], "
                + "'fortran_order': False, 'shape': (2,), }";
        writeNpy(1, header, records);
        TimedSeries series = SeriesFile.read(file.toString(), SeriesColumns.DEFAULT);
        assertThat(series.times()).containsExactly(1000, 2000);
        assertThat(series.values()).containsExactly(1.5, 2.5);
        assertThat(readNpy(new SeriesColumns("state", null))).containsExactly(3, 200);
    }

    @Test
    void readsCaptures() throws Exception {
        CaptureFormat format = new CaptureFormat(List.of("seq", "received_ns"), 2);
        ByteBuffer records =
                ByteBuffer.allocate(CaptureFormat.HEADER_BYTES + 32).order(ByteOrder.LITTLE_ENDIAN);
        records.put(format.header()).putLong(0).putLong(500).putLong(1).putLong(700);
        Files.write(file, records.array());
        assertThat(readNpy(new SeriesColumns("received_ns", "seq"))).containsExactly(500, 700);
    }

    @Test
    void rejectsInvalidNumPyFiles() throws Exception {
        ByteBuffer records = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        records.putDouble(1).putDouble(Double.NEGATIVE_INFINITY);
        writeNpy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", records);
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> readNpy(SeriesColumns.DEFAULT))
                .withMessageMatching(".*: the file ends in record [34] of 4\\.");
        writeNpy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", records);
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> readNpy(SeriesColumns.DEFAULT))
                .withMessageContaining("the value of record 2 is infinite");
        writeNpy(1, "{'descr': '<c16', 'fortran_order': False, 'shape': (1,), }", records);
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> readNpy(SeriesColumns.DEFAULT))
                .withMessageContaining("a field has the type <c16");
        writeNpy(9, "{}", records);
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> readNpy(SeriesColumns.DEFAULT))
                .withMessageContaining("format version is not 1, 2 or 3");
    }

    @Test
    void readsRecordsOfSeveralMebibytes() throws Exception {
        int columns = 300_000;
        ByteBuffer records = ByteBuffer.allocate(2 * columns * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        records.putDouble((columns - 1) * Double.BYTES, 5).putDouble((2 * columns - 1) * Double.BYTES, 7);
        records.position(records.limit());
        writeNpy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, " + columns + "), }", records);

        assertThat(readNpy(new SeriesColumns(Integer.toString(columns), null))).containsExactly(5, 7);
    }

    @Test
    void readsRecordsOfManyFields() throws Exception {
        String fields = IntStream.range(0, 20_000)
                .mapToObj(i -> "('f" + i + "', '|u1')")
                .collect(Collectors.joining(", "));
        ByteBuffer records = ByteBuffer.allocate(20_000).put(19_999, (byte) 9);
        records.position(records.limit());
        writeNpy(2, "{'descr': [" + fields + "], 'fortran_order': False, 'shape': (1,), }", records);

        assertThat(readNpy(new SeriesColumns("f19999", null))).containsExactly(9);
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> readNpy(SeriesColumns.DEFAULT))
                .withMessageContaining("has 20000 columns (f0, f1, ")
                .withMessageContaining("f29, …)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\n1\n-1e308\n", "x\n1.1e100\n", "at,x\n1e308,1\n"})
    void rejectsNumbersWhoseSquaresOverflow(String text) throws Exception {
        Files.writeString(file, text);

        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> SeriesFile.read(file.toString(), SeriesColumns.DEFAULT))
                .withMessageContaining(" is not within ±1.0E100; use another unit");
    }
}
