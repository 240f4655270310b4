package org.lagbench.core.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

class BestEffortFilesTest {
    @Test
    void namesMissingFilesAndTheirDisk(@TempDir Path directory) throws Exception {
        BestEffortFiles files = new BestEffortFiles(directory);
        Map<String, Object> metadata = new HashMap<>();

        files.write("sender-buffers.npy", () -> {});
        files.throwIfMissing();
        files.write("sender-events.npy", () -> {
            throw new IOException("No space left on device");
        });
        files.putMetadata(metadata);

        files.write("sender-departures.npy", () -> {
            throw new IOException("it failed (twice), as before");
        });
        Map<String, Object> both = new HashMap<>();
        files.putMetadata(both);

        String missing = "sender-events.npy (No space left on device)";
        assertThat(metadata).containsExactly(Map.entry("filesNotWritten", missing));
        assertThat(BestEffortFiles.missing(both))
                .containsExactly(
                        Map.entry("sender-departures.npy", "it failed (twice), as before"),
                        Map.entry("sender-events.npy", "No space left on device"));
        assertThatThrownBy(files::throwIfMissing)
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES))
                .hasMessageMatching( // a chroot's mounts may be unknown
                        Pattern.quote(directory + ": missing sender-departures.npy (it failed (twice), as before), "
                                        + missing)
                                + ", on (/|the disk of /).*")
                .hasMessageEndingWith("; the stamps of the run are complete.");
    }
}
