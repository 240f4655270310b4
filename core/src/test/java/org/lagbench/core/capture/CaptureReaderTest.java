package org.lagbench.core.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class CaptureReaderTest {
    private final Path directory;

    CaptureReaderTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void readsSenderCapture() throws Exception {
        Path path = directory.resolve(SenderCapture.FILE_NAME);
        try (SenderCapture capture = SenderCapture.create(path, 3, false)) {
            capture.append(-1, 1, 2, 3);
            capture.append(0, 100, 110, 120);
            capture.append(1, SenderCapture.UNSCHEDULED, 210, 220);
            capture.append(2, 300, 310, 320);
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.fields()).containsExactly("seq", "scheduled_ns", "sent_ns", "returned_ns");
            assertThat(reader.records()).isEqualTo(3);
            assertThat(reader.unfinished()).isFalse();
            assertThat(column(reader, "seq")).containsExactly(0, 1, 2);
            assertThat(column(reader, "scheduled_ns")).containsExactly(100, 210, 300);
            assertThat(column(reader, "sent_ns")).containsExactly(110, 210, 310);
            assertThat(column(reader, "returned_ns")).containsExactly(120, 220, 320);
        }
    }

    @Test
    void replacesTheKernelsStamps() throws Exception {
        int packets = 10_000;
        Path path = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(path, packets + 5, ReceiverCapture.KERNEL_FIELDS)) {
            for (int packet = 0; packet < packets; packet++) {
                capture.append(packet, 1_000 + packet, packet == 1 ? -1 : 7); // −1: the engine has no stamp
            }
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(Arrays.stream(column(reader, "kernel_ns")).limit(3)).containsExactly(7L, 0L, 7L);
        }
        long missing = ReceiverCapture.replaceKernelStamps(
                path, (sequence, receivedNs) -> sequence % 10 == 3 ? 0 : receivedNs - sequence / 10);
        assertThat(missing).isEqualTo(packets / 10);
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.isExact()).isTrue();
            for (int packet = 0; packet < packets; packet++) {
                assertThat(reader.value(packet, 0)).isEqualTo(packet);
                assertThat(reader.value(packet, 1)).isEqualTo(1_000 + packet);
                assertThat(reader.value(packet, 2)).isEqualTo(packet % 10 == 3 ? 0 : 1_000 + packet - packet / 10);
            }
        }
    }

    @Test
    void keepsAllStampsIfItCannotReplaceThem() throws Exception {
        int packets = 10_000;
        Path path = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(path, packets, ReceiverCapture.KERNEL_FIELDS)) {
            for (int packet = 0; packet < packets; packet++) {
                capture.append(packet, 1_000 + packet, 7);
            }
        }
        assertThatThrownBy(() -> ReceiverCapture.replaceKernelStamps(path, (sequence, receivedNs) -> {
                    if (sequence == packets - 1) {
                        throw new IllegalStateException();
                    }
                    return 8;
                }))
                .isInstanceOf(IllegalStateException.class);
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(column(reader, "kernel_ns")).containsOnly(7L);
        }
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void readsTheBusCycle() throws Exception {
        Path path = directory.resolve(SenderCapture.FILE_NAME);
        try (SenderCapture capture = SenderCapture.create(path, 2, true)) {
            capture.append(0, 100, 110, 120);
            capture.append(1, 200, 210, 220);
            capture.putBusCycle(0, 7999);
            capture.putBusCycle(-3, 5);
            capture.putBusCycle(2, 5);
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(column(reader, "bus_cycle")).containsExactly(7999, SenderCapture.UNKNOWN_CYCLE);
        }
    }

    @Test
    void readsForwardBackwardAndAtRandom() throws Exception {
        int count = 3 * CaptureReader.BLOCKS * CaptureReader.BLOCK_BYTES / 16 + 5;
        Path path = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(path, count, false)) {
            for (int i = 0; i < count; i++) {
                capture.append(count - i, 1_000L + i, 0);
            }
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            int sequence = reader.field("seq");
            int received = reader.field("received_ns");
            assertThat(reader.records()).isEqualTo(count);
            for (int i = 0; i < count; i++) {
                assertThat(reader.value(i, sequence)).isEqualTo(count - i);
            }
            for (int i = count - 1; i >= 0; i--) {
                assertThat(reader.value(i, received)).isEqualTo(1_000L + i);
            }
            Random random = new Random(1);
            for (int i = 0; i < 500; i++) {
                int record = random.nextInt(count);
                assertThat(reader.value(record, received)).isEqualTo(1_000L + record);
            }
            long[] values = new long[count - 10];
            reader.read(10, received, values, values.length);
            assertThat(values[0]).isEqualTo(1_010);
            assertThat(values[values.length - 1]).isEqualTo(1_000L + count - 1);
        }
    }

    @Test
    void holdsBlocksBetweenWhichReaderJumps() throws Exception {
        int perBlock = CaptureReader.BLOCK_BYTES / 16;
        int blocks = 5 * CaptureReader.BLOCKS;
        Path path = receiverCapture(blocks * perBlock);
        try (CaptureReader reader = CaptureReader.open(path)) {
            int sequence = reader.field("seq");
            reader.value((long) (blocks - 1) * perBlock, sequence);
            for (int block = 0; block < blocks - 1; block++) {
                reader.value((long) block * perBlock, sequence);
            }
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(1_000);
            }
            for (long record = 0; record < reader.records(); record++) {
                assertThat(reader.value(record, sequence)).as("from memory").isEqualTo(record);
            }
        }
    }

    /** A series of differences begins with the stamp before a range, in a block that was not read. */
    @Test
    void holdsFewBlocksAfterStepBack() throws Exception {
        int perBlock = CaptureReader.BLOCK_BYTES / 16;
        Path path = receiverCapture(3 * CaptureReader.BLOCKS * perBlock);
        try (CaptureReader reader = CaptureReader.open(path)) {
            int sequence = reader.field("seq");
            reader.value(perBlock, sequence);
            for (long record = 0; record < reader.records(); record += perBlock) {
                reader.value(record, sequence);
            }
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(1_000);
            }
            assertThatThrownBy(() -> reader.value(0, sequence)).hasMessageContaining("was truncated while it was read");
        }
    }

    @Test
    void findsEndOfUnclosedCapture() throws Exception {
        for (int written : new int[] {0, 1, 2, 3, 50, 99, 100}) {
            Path path = directory.resolve("never-closed-" + written);
            ReceiverCapture capture = ReceiverCapture.create(path, 100, false);
            capture.append(-2, 5, 0);
            for (int i = 0; i < written; i++) {
                capture.append(i, 1_000 + i, 0);
            }
            capture.append(-1, 6, 0);
            try (CaptureReader reader = CaptureReader.open(path)) {
                assertThat(reader.records()).isEqualTo(written);
                assertThat(reader.unfinished()).isEqualTo(written < 100);
                assertThatThrownBy(() -> reader.value(written, 0)).isInstanceOf(IndexOutOfBoundsException.class);
            }
            capture.close();
        }
    }

    @Test
    void findsRecordsWrittenSinceItWasOpened() throws Exception {
        Path path = directory.resolve("growing");
        int capacity = 3 * CaptureReader.BLOCK_BYTES / 16;
        ReceiverCapture capture = ReceiverCapture.create(path, capacity, false);
        capture.append(-1, 999, 0);
        try (CaptureReader reader = CaptureReader.open(path)) {
            long written = 0;
            for (int more : new int[] {0, 1, 1, 2, 5_000, 0, 100, 7}) {
                for (int i = 0; i < more; i++) {
                    capture.append(written + i, 1_000 + written + i, 0);
                }
                written += more;
                assertThat(reader.update()).isEqualTo(written);
                assertThat(reader.records()).isEqualTo(written);
                if (written > 0) {
                    assertThat(reader.value(written - 1, 1)).isEqualTo(999 + written);
                }
            }
            capture.append(written, 1_000 + written, 0);
            capture.close();
            assertThat(reader.update()).isEqualTo(written + 1);
            assertThat(reader.value(written, 0)).isEqualTo(written);
        }
    }

    /** The file gets shorter between any two calls of a live reader that opens it. */
    @Test
    void opensCaptureWhileItsWriterClosesIt() throws Exception {
        for (int trial = 0; trial < 100; trial++) {
            Path path = directory.resolve("closing-" + trial);
            ReceiverCapture capture = ReceiverCapture.create(path, 100_000, false);
            capture.append(0, 1_000, 0);
            FutureTask<Void> closing = new FutureTask<>(() -> {
                capture.close();
                return null;
            });
            new Thread(closing, "closing").start();
            while (!closing.isDone()) {
                try (CaptureReader reader = CaptureReader.open(path)) {
                    assertThat(reader.records()).isEqualTo(1);
                }
            }
            closing.get();
            Files.delete(path);
        }
    }

    @Test
    void readsCompleteRecordsOfTruncatedCapture() throws Exception {
        Path whole = receiverCapture(10);
        for (long bytes = CaptureFormat.HEADER_BYTES; bytes <= Files.size(whole); bytes++) {
            Path cut = Files.copy(whole, directory.resolve("cut-" + bytes));
            try (RandomAccessFile file = new RandomAccessFile(cut.toFile(), "rw")) {
                file.setLength(bytes);
            }
            long expected = (bytes - CaptureFormat.HEADER_BYTES) / 16;
            try (CaptureReader reader = CaptureReader.open(cut)) {
                assertThat(reader.records()).isEqualTo(expected);
                assertThat(reader.unfinished()).isEqualTo(expected < 10);
                for (int i = 0; i < expected; i++) {
                    assertThat(reader.value(i, 0)).isEqualTo(i);
                    assertThat(reader.value(i, 1)).isEqualTo(1_000 + i);
                }
            }
        }
    }

    @Test
    void readsAnEmptyCapture() throws Exception {
        try (CaptureReader reader = CaptureReader.open(receiverCapture(0))) {
            assertThat(reader.records()).isZero();
            assertThat(reader.unfinished()).isFalse();
        }
    }

    @Test
    void reportsTruncationDuringReading() throws Exception {
        int count = 2 * CaptureReader.BLOCKS * CaptureReader.BLOCK_BYTES / 16;
        Path path = receiverCapture(count);
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.value(0, 0)).isZero();
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(1_000);
            }
            assertThatThrownBy(() -> reader.value(count - 1, 0))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("was truncated while it was read");
        }
    }

    @Test
    void refusesFileThatIsNotACapture() throws Exception {
        assertRefused(directory.resolve("absent.npy"), "there is no such file");
        assertRefused(Files.write(directory.resolve("empty.npy"), new byte[0]), "only 0 bytes");
        assertRefused(Files.write(directory.resolve("zeros.npy"), new byte[1_000]), "does not begin as a NumPy file");
        assertRefused(header("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"), "does not describe records");
        assertRefused(
                header("{'descr': [('seq', '<i4')], 'fortran_order': False, 'shape': (3,), }"), "seq is not of type");
        assertRefused(
                header("{'descr': [('seq', '<i8'), ('key', '<i8')], 'fortran_order': False, 'shape': (3,), }"),
                "its fields are seq, key");
        assertRefused(
                header("{'descr': [('seq', '<i8'), ('b', '<i8')], 'fortran_order': False, 'shape': (3,), }"),
                "its field b is not one of a capture");
        assertRefused(
                header("{'descr': [('seq', '<i8'), ('seq', '<i8')], 'fortran_order': False, 'shape': (3,), }"),
                "it has the field seq twice");
        assertRefused(directory, "cannot be read");
        try (CaptureReader reader = CaptureReader.open(receiverCapture(1))) {
            assertThatThrownBy(() -> reader.field("sent_ns"))
                    .isInstanceOf(LagbenchException.class)
                    .hasMessageContaining("no field sent_ns")
                    .hasMessageContaining("seq, received_ns");
        }
    }

    @Test
    void refusesHeaderWithWrongLength() throws Exception {
        Path path = receiverCapture(1);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(8);
            file.write(118);
        }
        assertRefused(path, "256 bytes");
    }

    @Test
    void ignoresRecordCountBeyondTheFile() throws Exception {
        Path path = header("{'descr': [('seq', '<i8'), ('sent_ns', '<i8')], 'fortran_order': False, 'shape':"
                + " (999999999999999999,), }");
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.records()).isZero();
            assertThat(reader.unfinished()).isTrue();
        }
    }

    @Test
    void readsOrRefusesAnyBytes() throws Exception {
        Random random = new Random(20_010_401);
        byte[] valid = Files.readAllBytes(receiverCapture(20));
        Path path = directory.resolve("fuzzed.npy");
        int read = 0;
        int refused = 0;
        for (int round = 0; round < 1_500; round++) {
            byte[] bytes;
            if (round % 3 == 0) {
                bytes = new byte[random.nextInt(600)];
                random.nextBytes(bytes);
            } else {
                bytes = Arrays.copyOf(valid, random.nextInt(valid.length + 1));
                for (int flips = random.nextInt(4); flips > 0 && bytes.length > 0; flips--) {
                    int where = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 130) : bytes.length);
                    bytes[where] = (byte) random.nextInt(256);
                }
            }
            Files.write(path, bytes);
            try (CaptureReader reader = CaptureReader.open(path)) {
                read++;
                assertThat(reader.records()).isBetween(0L, (bytes.length - 256L) / 8);
                for (long i = 0; i < reader.records(); i++) {
                    for (int field = 0; field < reader.fields().size(); field++) {
                        long unused = reader.value(i, field);
                    }
                }
            } catch (LagbenchException e) {
                refused++;
                assertThat(e.exitCode()).isEqualTo(ExitCode.FILES);
                assertThat(e).hasMessageContaining(path.toString());
            }
        }
        assertThat(read).isGreaterThan(100);
        assertThat(refused).isGreaterThan(500);
    }

    private Path receiverCapture(int records) throws IOException {
        Path path = Files.createTempDirectory(directory, "run").resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(path, records, false)) {
            for (int i = 0; i < records; i++) {
                capture.append(i, 1_000 + i, 0);
            }
        }
        return path;
    }

    private Path header(String text) throws IOException {
        byte[] bytes = new byte[CaptureFormat.HEADER_BYTES];
        Arrays.fill(bytes, (byte) ' ');
        byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) 246, 0};
        System.arraycopy(magic, 0, bytes, 0, magic.length);
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, magic.length, text.length());
        bytes[255] = '\n';
        return Files.write(Files.createTempFile(directory, "header", ".npy"), bytes);
    }

    private static void assertRefused(Path path, String why) {
        assertThatThrownBy(() -> CaptureReader.open(path))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES))
                .hasMessageContaining(path.toString())
                .hasMessageContaining(why);
    }

    private static long[] column(CaptureReader reader, String field) throws LagbenchException {
        long[] values = new long[(int) reader.records()];
        reader.read(0, reader.field(field), values, values.length);
        return values;
    }
}
