package org.lagbench.core.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TwoWayCaptureTest {
    @Test
    void keepsFirstFailureInsteadOfThrowingIt(@TempDir Path directory) throws Exception {
        TwoWayCapture capture = TwoWayCapture.create(directory.resolve(TwoWayCapture.FILE_NAME));
        capture.append(1, 2, 3, 4);
        assertThat(capture.failure()).isNull();

        capture.close(); // every write fails from now on
        capture.append(5, 6, 7, 8);
        capture.append(9, 10, 11, 12);

        assertThat(capture.failure()).isNotNull();
        assertThat(capture.records()).isEqualTo(1);
    }
}
