package org.lagbench.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.BestEffortFiles;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class RunFilesTest {
    @Test
    void keepsStampsIfTwoWayFileCannotBeWritten(@TempDir Path parent) throws Exception {
        Path run = parent.resolve("run");
        Map<String, Object> metadata = new HashMap<>();
        try (RunFiles files = RunFiles.create(run, 10, false, false)) {
            files.capture().append(0, 1, 2, 3);
            files.twoWay().appendUnlessFailed(0, 1, 2, 3, 4);
            files.twoWay().close(); // the next write fails, as on a full disk
            files.twoWay().appendUnlessFailed(1, 5, 6, 7, 8);

            files.closeCaptures();
            files.closeCaptures();

            files.sideFiles().putMetadata(metadata);
            assertThatThrownBy(files.sideFiles()::throwIfMissing)
                    .isInstanceOfSatisfying(LagbenchException.class, failure -> assertThat(failure.exitCode())
                            .isEqualTo(ExitCode.FILES));
        }

        assertThat(BestEffortFiles.missing(metadata))
                .containsExactly(Map.entry("two-way.npy", "it was closed on this side"));
        assertThat(run).isDirectoryNotContaining("glob:**/two-way.npy").isDirectoryContaining("glob:**/sender.npy");
    }
}
