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
 * @param path where it is
 * @param record what became of the run; null if that is not known
 * @param problem why it is not known, as part of a sentence or one; null if it is
 */
public record RunDirectory(Path path, @Nullable RunRecord record, @Nullable String problem) {
    /** The run's name, which is the directory's. */
    public String name() {
        return String.valueOf(path.getFileName());
    }

    /** Whether a directory has any file of a run. */
    static boolean isRun(Path directory) {
        return Stream.of(RunRecord.FILE_NAME, SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME)
                .anyMatch(file -> Files.exists(directory.resolve(file)));
    }

    /** Reads what became of the run; that it cannot be read is a {@link #problem}, for other runs may be sound. */
    static RunDirectory read(Path directory) {
        Path file = directory.resolve(RunRecord.FILE_NAME);
        if (!Files.exists(file)) {
            return unknown(directory, "there is no " + RunRecord.FILE_NAME + "; the run was never ended");
        }
        try {
            RunRecord record = RunRecordFile.read(directory);
            boolean incomplete = Stream.of(
                            record.transport(),
                            record.transportTitle(),
                            record.paceMode(),
                            record.settings(),
                            record.state())
                    .anyMatch(Objects::isNull);
            RunRecord.Clock clock = record.clock();
            boolean clockIncomplete =
                    clock != null && Stream.of(clock.basis(), clock.marks()).anyMatch(Objects::isNull);
            return incomplete || clockIncomplete
                    ? unknown(directory, file + " does not tell all of the run")
                    : new RunDirectory(directory, record, null);
        } catch (LagbenchException e) {
            return unknown(directory, e.sentence());
        }
    }

    private static RunDirectory unknown(Path directory, String problem) {
        return new RunDirectory(directory, null, problem);
    }
}
