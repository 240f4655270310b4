package org.lagbench.core.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowingCaptureTest {
    @TempDir
    private Path directory;

    @Test
    void isValidAfterEachRecord() throws Exception {
        Path file = directory.resolve("receiver-events.npy");
        try (GrowingCapture capture = GrowingCapture.create(file, List.of("cause", "start_ns", "end_ns"))) {
            for (int i = 0; i < 3; i++) {
                capture.append(i, 100 + i, 200 + i);
                try (CaptureReader reader = CaptureReader.open(file)) {
                    assertThat(reader.records()).isEqualTo(i + 1);
                    assertThat(reader.unfinished()).isFalse();
                    assertThat(reader.value(i, reader.field("cause"))).isEqualTo(i);
                    assertThat(reader.value(i, reader.field("end_ns"))).isEqualTo(200 + i);
                }
            }
        }
    }

    @Test
    void clearsRecords() throws Exception {
        Path file = directory.resolve("buffers.npy");
        try (GrowingCapture capture = GrowingCapture.create(file, List.of("at_ns", "bytes"))) {
            capture.append(1, 2);
            capture.clear();
            capture.append(3, 4);
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            assertThat(reader.records()).isEqualTo(1);
            assertThat(reader.value(0, 0)).isEqualTo(3);
        }
    }

    @Test
    void keepsFirstFailureInsteadOfThrowingIt() throws Exception {
        GrowingCapture capture = GrowingCapture.create(directory.resolve("two-way.npy"), List.of("at_ns", "bytes"));
        capture.appendUnlessFailed(1, 2);
        assertThat(capture.failure()).isNull();

        capture.close(); // every write fails from now on
        capture.appendUnlessFailed(3, 4);
        capture.appendUnlessFailed(5, 6);

        assertThat(capture.failure()).isNotNull();
        assertThat(capture.records()).isEqualTo(1);
    }

    @Test
    void reservesDiskSpaceForRecords() throws Exception {
        Path file = directory.resolve(TransferFiles.TRANSFERS_FILE_NAME);
        try (GrowingCapture capture = GrowingCapture.create(file, TransferFiles.TRANSFERS_FIELDS)) {
            capture.reserve(5_000);
            assertThat((Long) Files.getAttribute(file, "unix:size")).isEqualTo(256 + 5_000 * 32);
            capture.append(0, 1, 2, 3);
            try (CaptureReader reader = CaptureReader.open(file)) {
                assertThat(reader.records()).isEqualTo(1);
            }
        }
        assertThat(file).hasSize(256 + 32);
    }

    /** The fields need a header of more than 256 bytes. */
    @Test
    void appendsManyFieldsWithoutAllocating() throws Exception {
        Path file = directory.resolve(TransferFiles.TCP_FILE_NAME);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] values = new long[TransferFiles.TCP_FIELDS.size()];
        Arrays.setAll(values, field -> field + 1);
        try (GrowingCapture capture = GrowingCapture.create(file, TransferFiles.TCP_FIELDS)) {
            capture.append(values);
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 1; i < 2_000; i++) {
                capture.append(values);
            }
            // an object for each record would need 16 bytes or more
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(2_000);
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            assertThat(reader.fields()).isEqualTo(TransferFiles.TCP_FIELDS);
            assertThat(reader.records()).isEqualTo(2_000);
            assertThat(reader.value(1_999, 0)).isEqualTo(1);
            assertThat(reader.value(1_999, values.length - 1)).isEqualTo(values.length);
        }
        assertThat((Files.size(file) - 2_000L * values.length * Long.BYTES) % 256)
                .isZero();
    }

    @Test
    void refusesExistingFileAndPartialRecords() throws Exception {
        Path file = directory.resolve("buffers.npy");
        try (GrowingCapture capture = GrowingCapture.create(file, List.of("at_ns", "bytes"))) {
            assertThatThrownBy(() -> capture.append(1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> GrowingCapture.create(file, List.of("at_ns")))
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
    }
}
