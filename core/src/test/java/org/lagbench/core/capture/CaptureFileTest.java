package org.lagbench.core.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureFileTest {
    private static final String GOLDEN_HEADER =
            "{'descr': [('seq', '<i8'), ('received_ns', '<i8')], 'fortran_order': False, 'shape': (3,), }";

    /**
     * A Python program that reads a capture as NumPy's format description (numpy.lib.format) says, with the standard
     * library alone.
     */
    private static final String READ_IN_PYTHON =
            """
            import ast, struct, sys
            data = open(sys.argv[1], 'rb').read()
            assert data[:8] == b'\\x93NUMPY\\x01\\x00', data[:8]
            length, = struct.unpack('<H', data[8:10])
            assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b'\\n'
            header = ast.literal_eval(data[10:10 + length].decode('latin1'))
            assert sorted(header) == ['descr', 'fortran_order', 'shape']
            print([name for name, kind in header['descr']], [kind for name, kind in header['descr']], header['shape'])
            for record in struct.iter_unpack('<%dq' % len(header['descr']), data[10 + length:]):
                print(*record)
            """;

    private final Path directory;

    CaptureFileTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void writesGoldenBytes() throws Exception {
        Path path = directory.resolve("receiver.npy");
        try (ReceiverCapture capture = ReceiverCapture.create(path, 10, false)) {
            capture.append(-1, 99, 0);
            capture.append(1, 0x0102_0304_0506_0708L, 0);
            capture.append(0, 2, 0);
            capture.append(254, -2, 0);
        }
        byte[] header = new byte[256];
        Arrays.fill(header, (byte) ' ');
        byte[] prefix = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (byte) 0xf6, 0};
        System.arraycopy(prefix, 0, header, 0, prefix.length);
        System.arraycopy(
                GOLDEN_HEADER.getBytes(StandardCharsets.US_ASCII), 0, header, prefix.length, GOLDEN_HEADER.length());
        header[255] = '\n';
        byte[] records = {
            1, 0, 0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, //
            0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, //
            -2, 0, 0, 0, 0, 0, 0, 0, -2, -1, -1, -1, -1, -1, -1, -1
        };
        byte[] file = Files.readAllBytes(path);
        assertThat(Arrays.copyOf(file, 256)).isEqualTo(header);
        assertThat(Arrays.copyOfRange(file, 256, file.length)).isEqualTo(records);
        assertThat(CaptureFormat.parse(ByteBuffer.wrap(file)))
                .isEqualTo(new CaptureFormat(List.of("seq", "received_ns"), 3));
    }

    @Test
    void isReadableByAnotherProgram() throws Exception {
        Path path = directory.resolve("sender.npy");
        try (SenderCapture capture = SenderCapture.create(path, 3, true)) {
            capture.append(-1, 4, 5, 6);
            capture.append(0, 1_700_000_000_000_000_001L, 1_700_000_000_000_000_002L, 1_700_000_000_000_000_003L);
            capture.append(1, SenderCapture.UNSCHEDULED, 20, 21);
            capture.putBusCycle(1, 7_999);
        }
        Process python;
        try {
            python = new ProcessBuilder("python3", "-c", READ_IN_PYTHON, path.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "there is no python3: " + e.getMessage());
            return;
        }
        List<String> lines;
        try (BufferedReader output = python.inputReader()) {
            lines = output.lines().toList();
        }
        assertThat(lines)
                .containsExactly(
                        "['seq', 'scheduled_ns', 'sent_ns', 'returned_ns', 'bus_cycle']"
                                + " ['<i8', '<i8', '<i8', '<i8', '<i8'] (2,)",
                        "0 1700000000000000001 1700000000000000002 1700000000000000003 -1",
                        "1 20 20 21 7999");
        assertThat(python.waitFor()).isZero();
    }

    @Test
    void spansSeveralMappings() throws Exception {
        int packets = (1 << 20) + 3; // a mapping holds 2^20 records
        Path path = directory.resolve("long.npy");
        try (ReceiverCapture capture = ReceiverCapture.create(path, packets, false)) {
            for (int i = 0; i < packets; i++) {
                assertThat(capture.append(i, i + 1L, 0)).isTrue();
            }
            assertThat(capture.append(packets, 1, 0)).as("full").isFalse();
            assertThat(capture.records()).isEqualTo(packets);
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.records()).isEqualTo(packets);
            for (int i = (1 << 20) - 2; i < packets; i++) {
                assertThat(reader.value(i, 0)).isEqualTo(i);
                assertThat(reader.value(i, 1)).isEqualTo(i + 1L);
            }
        }
    }

    @Test
    void failsWhenSenderExceedsCapacity() throws Exception {
        try (SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), 1, false)) {
            capture.append(0, 1, 2, 3);
            capture.append(-7, 4, 5, 6);
            capture.append(-6, 4, 5, 6);
            assertThatThrownBy(() -> capture.append(1, 1, 2, 3)).isInstanceOf(IllegalStateException.class);
            assertThat(capture.records()).isEqualTo(1);
        }
    }

    @Test
    void neverOverwritesExistingFile() throws Exception {
        Path path = Files.writeString(directory.resolve("sender.npy"), "precious");
        assertThatThrownBy(() -> SenderCapture.create(path, 1, false)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(path).hasContent("precious");
    }

    @Test
    void keepsRecordsWhenWriterIsKilled() throws Exception {
        Path path = directory.resolve("sender.npy");
        Process writer = new ProcessBuilder(java(KilledWriter.class, path.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        long appended;
        try (BufferedReader output = writer.inputReader()) {
            appended = Long.parseLong(output.readLine());
            writer.destroyForcibly(); // until then the process appends records
            assertThat(writer.waitFor()).isEqualTo(128 + 9);
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.records()).isBetween(appended, KilledWriter.CAPACITY - 1);
            assertThat(reader.unfinished()).isTrue();
            for (long i = 0; i < reader.records(); i++) {
                for (int field = 0; field < 4; field++) {
                    assertThat(reader.value(i, field)).isEqualTo(i + 1_000L * field);
                }
            }
        }
    }

    /** Appends records until it is killed, and prints the count once it has appended some. */
    static final class KilledWriter {
        static final long CAPACITY = 2_000_000;

        public static void main(String[] arguments) throws Exception {
            try (SenderCapture capture = SenderCapture.create(Path.of(arguments[0]), CAPACITY, false)) {
                for (long i = -100; i < CAPACITY; i++) {
                    capture.append(i, i + 1_000, i + 2_000, i + 3_000);
                    if (i == 200_000) {
                        System.out.println(i + 1);
                    } else if (i > 200_000) {
                        Thread.onSpinWait();
                        if (i % 10_000 == 0) {
                            Thread.sleep(100);
                        }
                    }
                }
            }
        }
    }

    @Test
    void detectsFullDiskAtCreation() throws Exception {
        Path path = directory.resolve("receiver.npy");
        List<String> command = new ArrayList<>(List.of("bash", "-c", "ulimit -f 1024 && exec \"$@\"", "bash"));
        command.addAll(java(TooLargeWriter.class, path.toString()));
        Process writer;
        try {
            writer = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "there is no bash: " + e.getMessage());
            return;
        }
        try (BufferedReader output = writer.inputReader()) {
            assertThat(output.lines().toList())
                    .containsExactly("IOException: " + path + ": File too large", "left: false");
        }
        assertThat(writer.waitFor()).isZero();
    }

    @Test
    void refusesCaptureLargerThanDisk() {
        Path path = directory.resolve("receiver.npy");
        long twiceTheRoom = directory.toFile().getUsableSpace() / 8;

        assertThatThrownBy(() -> ReceiverCapture.create(path, twiceTheRoom, false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the disk has room for");
        assertThat(path).doesNotExist();
    }

    @Test
    void appendsWithoutPageFaults() throws Exception {
        Path stat = Path.of("/proc/thread-self/stat");
        assumeTrue(Files.isReadable(stat), "this platform does not count page faults");
        int records = 200_000;
        int pages = records * 4 * Long.BYTES / 4096;
        try (SenderCapture capture = SenderCapture.create(directory.resolve("sender.npy"), records, false)) {
            long before = pageFaults(stat);
            for (int i = 0; i < records; i++) {
                capture.append(i, 1, 2, 3);
            }
            // the JVM causes some page faults too
            assertThat(pageFaults(stat) - before).isLessThan(pages / 2);
        }
    }

    /**
     * Writes the pages back, as the kernel does about 30 s after they were written: the next write to each causes a
     * page fault.
     */
    @Test
    void keepsContentOfPagesTouchedByAnotherThread() throws Exception {
        Path stat = Path.of("/proc/thread-self/stat");
        assumeTrue(Files.isReadable(stat), "this platform does not count page faults");
        int records = 200_000;
        int pages = records * 4 * Long.BYTES / 4096;
        Path path = directory.resolve("sender.npy");
        try (SenderCapture capture = SenderCapture.create(path, records, false);
                FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            for (int i = 0; i < records / 2; i++) {
                capture.append(i, 1, 2, 3);
            }
            file.force(false);
            FutureTask<Boolean> toucher = new FutureTask<>(() -> {
                capture.file.touch(0, Long.MAX_VALUE);
                return true;
            });
            new Thread(toucher).start();
            assertThat(toucher.get()).isTrue();
            long before = pageFaults(stat);
            for (int i = records / 2; i < records; i++) {
                capture.append(i, 1, 2, 3);
            }
            assertThat(pageFaults(stat) - before).isLessThan(pages / 4);
        }
        try (CaptureReader reader = CaptureReader.open(path)) {
            for (int i = 0; i < records; i++) {
                assertThat(reader.value(i, reader.field("seq"))).isEqualTo(i);
            }
        }
    }

    /**
     * Returns how many page faults of this thread needed no disk: field 10 of proc(5)'s stat, 3 being the first after
     * ")".
     */
    private static long pageFaults(Path stat) throws IOException {
        String text = Files.readString(stat);
        return Long.parseLong(text.substring(text.lastIndexOf(')') + 2).split(" ", -1)[10 - 3]);
    }

    /** A program that creates a capture larger than its limit for files. */
    static final class TooLargeWriter {
        public static void main(String[] arguments) throws Exception {
            Path path = Path.of(arguments[0]);
            try (ReceiverCapture capture = ReceiverCapture.create(path, 1_000_000, false)) {
                System.out.println("room for " + capture.records());
            } catch (IOException e) {
                System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
            }
            System.out.println("left: " + Files.exists(path));
        }
    }

    private static List<String> java(Class<?> main, String argument) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                argument);
    }
}
