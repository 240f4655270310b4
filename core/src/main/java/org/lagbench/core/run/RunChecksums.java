package org.lagbench.core.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;

/** The checksums of a run's directory: of its captures and its record. */
public final class RunChecksums {
    private RunChecksums() {}

    /**
     * Adds the checksums of a run's files that have none yet.
     *
     * @param isFinished whether nothing writes to the file of this name any more
     */
    public static void add(Path runDirectory, Predicate<String> isFinished) throws LagbenchException {
        try {
            Checksums.add(
                    runDirectory,
                    RunFileNames.list(runDirectory, name -> RunFileNames.isName(name) && isFinished.test(name)));
        } catch (IOException e) {
            throw IoErrors.toException(runDirectory + " cannot be read", e);
        }
    }
}
