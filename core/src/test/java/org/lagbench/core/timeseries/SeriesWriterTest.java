package org.lagbench.core.timeseries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesStore.SeriesWriter;

class SeriesWriterTest {
    private static final long NOON_NS = ns("2026-01-31T12:00:00Z");

    @TempDir
    Path session;

    private static long ns(String time) {
        return Instant.parse(time).getEpochSecond() * 1_000_000_000;
    }

    private List<String> records() throws LagbenchException {
        return records(0, Long.MAX_VALUE);
    }

    private List<String> records(long fromNs, long untilNs) throws LagbenchException {
        List<String> records = new ArrayList<>();
        SeriesFiles.read(
                session, "rtt", fromNs, untilNs, (atNs, value, state) -> records.add(atNs + " " + value + " " + state));
        return records;
    }

    private Path file(String day) {
        return session.resolve("series/rtt." + day + ".npy");
    }

    private void write(long... timesNs) throws LagbenchException {
        try (SeriesWriter writer = new SeriesWriter(session, "rtt")) {
            for (long atNs : timesNs) {
                writer.append(atNs, 1.5, SeriesState.OK);
            }
        }
    }

    /** The bytes of the record are those of struct.pack("<qdq", 1769860800000000000, 1.5, 0) in Python. */
    @Test
    void writesNumPyRecords() throws Exception {
        write(NOON_NS);

        byte[] bytes = Files.readAllBytes(file("2026-01-31"));
        assertThat(bytes).hasSize(256 + 24);
        assertThat(new String(bytes, 10, 246, StandardCharsets.US_ASCII))
                .startsWith("{'descr': [('at', '<i8'), ('value', '<f8'), ('state', '<i8')],"
                        + " 'fortran_order': False, 'shape': (1,), }")
                .endsWith(" \n");
        assertThat(HexFormat.of().formatHex(bytes, 0, 10)).isEqualTo("934e554d50590100f600");
        assertThat(HexFormat.of().formatHex(bytes, 256, 280))
                .isEqualTo("0080e33d05cf8f18" + "000000000000f83f" + "0000000000000000");
    }

    @Test
    void beginsNewFileAtMidnightUtc() throws Exception {
        long midnightNs = ns("2026-02-01T00:00:00Z");

        write(midnightNs - 1, midnightNs, midnightNs + 1);

        assertThat(SeriesFiles.of(session, "rtt")).containsExactly(file("2026-01-31"), file("2026-02-01"));
        assertThat(records(midnightNs, midnightNs + 1)).containsExactly(midnightNs + " 1.5 0");
        assertThat(records()).hasSize(3);
    }

    @Test
    void writesNoValueWithoutOkState() throws Exception {
        try (SeriesWriter writer = new SeriesWriter(session, "rtt")) {
            writer.append(NOON_NS, 7, SeriesState.MISSED);
        }

        assertThat(records()).containsExactly(NOON_NS + " NaN -1");
    }

    @Test
    void continuesAfterLastRecord() throws Exception {
        write(NOON_NS, NOON_NS + 1);
        try (SeriesWriter writer = new SeriesWriter(session, "rtt")) {
            assertThat(writer.lastNs()).isEqualTo(NOON_NS + 1);
            assertThatThrownBy(() -> writer.append(NOON_NS + 1, 2, SeriesState.OK))
                    .isInstanceOf(IllegalArgumentException.class);
            writer.append(NOON_NS + 2, 2, SeriesState.OK);
        }

        assertThat(records()).containsExactly(NOON_NS + " 1.5 0", NOON_NS + 1 + " 1.5 0", NOON_NS + 2 + " 2.0 0");
    }

    @Test
    void removesPartOfRecord() throws Exception {
        write(NOON_NS, NOON_NS + 1);
        try (FileChannel channel = FileChannel.open(file("2026-01-31"), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 5);
        }
        assertThat(records()).containsExactly(NOON_NS + " 1.5 0");

        write(NOON_NS + 2);

        assertThat(records()).containsExactly(NOON_NS + " 1.5 0", NOON_NS + 2 + " 1.5 0");
        assertThat(Files.size(file("2026-01-31"))).isEqualTo(256 + 2 * 24);
    }

    @Test
    void removesZerosThatCrashLeft() throws Exception {
        write(NOON_NS);
        Files.write(file("2026-01-31"), new byte[100], StandardOpenOption.APPEND);

        write(NOON_NS + 1);

        assertThat(records()).containsExactly(NOON_NS + " 1.5 0", NOON_NS + 1 + " 1.5 0");
    }

    @Test
    void continuesFileWithPartOfHeader() throws Exception {
        write(NOON_NS);
        Files.write(file("2026-02-01"), new byte[] {(byte) 0x93, 'N'});

        try (SeriesWriter writer = new SeriesWriter(session, "rtt")) {
            assertThat(writer.lastNs()).isEqualTo(NOON_NS);
        }
        write(ns("2026-02-01T00:00:00Z"));

        assertThat(records()).hasSize(2);
    }

    @Test
    void refusesForeignFile() throws Exception {
        Files.createDirectories(session.resolve("series"));
        Files.write(file("2026-01-31"), new byte[300]);

        assertThatThrownBy(() -> new SeriesWriter(session, "rtt"))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("is not the file of a series");
    }

    @Test
    void continuesSeriesWithLongestName() throws Exception {
        String longest = "p".repeat(200);
        for (int i = 1; i <= 3; i++) {
            try (SeriesWriter writer = new SeriesWriter(session, longest)) {
                writer.append(NOON_NS + i, 1.5, SeriesState.OK);
            }
        }

        Checksums checksums = Checksums.read(session.resolve(SeriesFiles.DIRECTORY));
        assertThat(checksums).isNotNull();
        assertThat(checksums.files()).containsOnlyKeys(longest + ".2026-01-31.npy");
    }

    @Test
    void distinguishesSeriesWithSimilarNames() throws Exception {
        write(NOON_NS);
        try (SeriesWriter writer = new SeriesWriter(session, "rtt.nagle")) {
            writer.append(NOON_NS + 5, 9, SeriesState.OK);
        }

        assertThat(records()).containsExactly(NOON_NS + " 1.5 0");
    }
}
