package org.lagbench.analysis.session;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;

/**
 * The directory of one run.
 *
 * @param path the directory
 * @param record the run's record; null if it cannot be read
 * @param problem why there is no record, as part of a sentence or one; null if there is one
 */
public record RunDirectory(Path path, @Nullable RunRecord record, @Nullable String problem) {
    /** Returns the run's name, which is the directory's. */
    public String name() {
        return String.valueOf(path.getFileName());
    }

    /** Returns whether a directory has any file of a run. */
    static boolean isRun(Path directory) {
        return Stream.of(RunRecord.FILE_NAME, SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME)
                .anyMatch(file -> Files.exists(directory.resolve(file)));
    }

    /** Reads the run's record. A failure is a {@link #problem}, because other runs may be readable. */
    static RunDirectory read(Path directory) {
        Path file = directory.resolve(RunRecord.FILE_NAME);
        if (!Files.exists(file)) {
            return new RunDirectory(
                    directory, null, "there is no " + RunRecord.FILE_NAME + "; the run was never ended");
        }
        try {
            RunRecord record = RunRecordFile.read(directory);
            RunRecord.Clock clock = record.clock();
            boolean isComplete = Stream.of(
                                    record.transport(),
                                    record.transportTitle(),
                                    record.paceMode(),
                                    record.settings(),
                                    record.state())
                            .allMatch(Objects::nonNull)
                    && (clock == null || Stream.of(clock.basis(), clock.marks()).allMatch(Objects::nonNull));
            return isComplete
                    ? new RunDirectory(directory, record, null)
                    : new RunDirectory(directory, null, file + " lacks required members");
        } catch (LagbenchException e) {
            return new RunDirectory(directory, null, e.sentence());
        }
    }
}
