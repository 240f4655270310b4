package org.lagbench.packetio.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.TransferFiles;

class TransferRecorderTest {
    @TempDir
    private Path directory;

    @Test
    void recordsTransfersAfterStatesFailed() throws Exception {
        TransferRecorder recorder = TransferRecorder.of(directory.resolve("sender.npy"), 2);
        recorder.answered(0, 1, 2, 3);
        recorder.fail(new IOException("No space left on device"));
        recorder.state(new long[TransferRecorder.VALUES]);
        recorder.answered(1, 4, 5, 6);
        assertThatThrownBy(recorder::close).hasMessage("No space left on device");
        assertThat(records(TransferFiles.TRANSFERS_FILE_NAME)).isEqualTo(2);
        assertThat(records(TransferFiles.TCP_FILE_NAME)).isZero();
    }

    private long records(String file) throws Exception {
        try (CaptureReader reader = CaptureReader.open(directory.resolve(file))) {
            return reader.records();
        }
    }
}
