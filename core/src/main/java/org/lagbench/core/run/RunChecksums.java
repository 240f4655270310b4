package org.lagbench.core.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;

/** The checksums of a run's directory: of its captures and its record. */
public final class RunChecksums {
    private static final Pattern CAPTURE = Pattern.compile("(sender|receiver|two-way)(-[a-z0-9]{1,20}){0,4}\\.npy");

    private RunChecksums() {}

    /** Returns the names of the captures in a run's directory, in alphabetical order. */
    public static List<String> captures(Path runDirectory) throws IOException {
        try (Stream<Path> files = Files.list(runDirectory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> CAPTURE.matcher(name).matches())
                    .sorted()
                    .toList();
        }
    }

    /**
     * Adds the checksums of a run's files that have none yet.
     *
     * @param isFinished whether nothing writes to the file of this name any more
     */
    public static void add(Path runDirectory, Predicate<String> isFinished) throws LagbenchException {
        try {
            Stream<String> record = Files.exists(runDirectory.resolve(RunRecord.FILE_NAME))
                    ? Stream.of(RunRecord.FILE_NAME)
                    : Stream.empty();
            Checksums.add(
                    runDirectory,
                    Stream.concat(captures(runDirectory).stream(), record)
                            .filter(isFinished)
                            .toList());
        } catch (IOException e) {
            throw IoErrors.toException(runDirectory + " cannot be read", e);
        }
    }
}
