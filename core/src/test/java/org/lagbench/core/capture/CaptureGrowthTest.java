package org.lagbench.core.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures that take disk space while they are written, and disks that fail meanwhile. */
class CaptureGrowthTest {
    private static final int RECORD_BYTES = 2 * Long.BYTES;
    private static final long MIB = 1 << 20;

    @TempDir
    private Path directory;

    @Test
    void allocatesDiskSpaceShortlyBeforeUse() throws Exception {
        long records = 5_000_000;
        Path file = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(file, 40_000_000, false)) {
            assertThat(diskBytes(file)).isBetween(CaptureFile.AHEAD_RECORDS * RECORD_BYTES, 100 * MIB);
            for (long i = 0; i < records; i++) {
                capture.append(i, i + 1, 0);
            }
            assertThat(diskBytes(file)).isGreaterThan(records * RECORD_BYTES);
        }
        assertThat(Files.size(file)).isEqualTo(CaptureFormat.HEADER_BYTES + records * RECORD_BYTES);
        try (CaptureReader reader = CaptureReader.open(file)) {
            assertThat(reader.value(records - 1, 1)).isEqualTo(records);
        }
    }

    @Test
    void keepsRecordsInSpaceAllocatedByAnotherProcess() throws Exception {
        int records = (int) CaptureFile.AHEAD_RECORDS + 1_000_000;
        Path file = directory.resolve(ReceiverCapture.FILE_NAME);
        try (ReceiverCapture capture = ReceiverCapture.create(file, records, false)) {
            appendAsAnotherProcess(file, records);
            capture.recoverRecordCount();
            assertThat(capture.records()).isEqualTo(records);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300); // 15 intervals of growth
            while (System.nanoTime() < end) {
                capture.recoverRecordCount();
                try (CaptureReader reader = CaptureReader.open(file)) {
                    assertThat(reader.value(records - 1, 1)).isEqualTo(records);
                }
            }
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            assertThat(reader.value(CaptureFile.AHEAD_RECORDS, 1)).isEqualTo(CaptureFile.AHEAD_RECORDS + 1);
        }
    }

    private static void appendAsAnotherProcess(Path file, int records) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(records * RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < records; i++) {
            bytes.putLong(i).putLong(i + 1);
        }
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
            CaptureFormat.writeFully(other, bytes.flip(), CaptureFormat.HEADER_BYTES);
        }
    }

    @Test
    void namesDiskThatFillsDuringGrowth() throws Exception {
        mount("size=90m");
        try {
            Path file = directory.resolve(ReceiverCapture.FILE_NAME);
            ReceiverCapture capture = ReceiverCapture.create(file, 5_500_000, false);
            fillDisk();
            assertThatThrownBy(() -> {
                        for (long i = 0; i < 5_500_000; i++) {
                            capture.append(i, i + 1, 0);
                        }
                    })
                    .isInstanceOf(UncheckedIOException.class)
                    .satisfies(full -> assertThat(capture.explain(full))
                            .contains(file.toString(), "No space left on device", directory + " (none)"));
            assertThat(capture.records()).isBetween(CaptureFile.AHEAD_RECORDS, 5_499_999L);
            assertThatThrownBy(capture::close).hasMessageContaining("No space left on device");
            assertThat(Files.size(file)).isEqualTo(CaptureFormat.HEADER_BYTES + capture.records() * RECORD_BYTES);
        } finally {
            run("umount", "--lazy", directory.toString()); // mappings remain until the garbage collector frees them
        }
    }

    @Test
    void namesTruncationByAnotherProgram() throws Exception {
        Path file = directory.resolve(SenderCapture.FILE_NAME);
        SenderCapture capture = SenderCapture.create(file, 1_000, false);
        capture.append(0, 1, 2, 3);
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
            other.truncate(CaptureFormat.HEADER_BYTES);
        }
        assertThatThrownBy(capture::close)
                .isInstanceOf(IOException.class)
                .hasMessage("another program has truncated " + file);
        try (CaptureReader reader = CaptureReader.open(file)) {
            assertThat(reader.records()).isZero();
        }
    }

    /** NumPy reads every record of a killed process's file as data. */
    @Test
    void leavesNothingOfUnrecordedPackets() throws Exception {
        try (ReceiverCapture received = ReceiverCapture.create(directory.resolve(ReceiverCapture.FILE_NAME), 2, true);
                SenderCapture sent = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), 2, true)) {
            received.append(-61, 5, 6);
            sent.append(-61, 1, 2, 3);
            sent.putBusCycle(-61, 4);
            for (String name : new String[] {ReceiverCapture.FILE_NAME, SenderCapture.FILE_NAME}) {
                byte[] file = Files.readAllBytes(directory.resolve(name));
                for (int i = CaptureFormat.HEADER_BYTES; i < file.length; i++) {
                    assertThat(file[i]).as("%s, byte %s", name, i).isZero();
                }
            }
        }
    }

    private void fillDisk() throws IOException {
        byte[] some = new byte[1 << 16];
        try (OutputStream hog = Files.newOutputStream(directory.resolve("hog"))) {
            while (true) {
                hog.write(some);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left on device");
        }
    }

    private void mount(String options) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root may mount a disk");
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", options, "none", directory.toString()) == 0,
                "this machine, maybe a container, lets root mount no disk");
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private static long diskBytes(Path file) throws IOException {
        Process du = new ProcessBuilder("du", "--block-size=1", file.toString()).start();
        String text = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Long.parseLong(text.substring(0, text.indexOf('\t')));
    }
}
