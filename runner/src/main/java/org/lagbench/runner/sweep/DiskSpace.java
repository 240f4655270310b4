package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunGroup;

/**
 * Compares the disk space that the stamps of runs need with the free space of the session's disk, before the first run.
 */
final class DiskSpace {
    private static final long NOTED_BYTES = 1_000_000_000;

    private DiskSpace() {}

    /**
     * Checks that each run fits.
     *
     * @param directory that of the session
     * @return a sentence about all runs if they need a gigabyte or more
     * @throws LagbenchException with {@link ExitCode#FILES} if a run does not fit
     */
    static Optional<String> check(Path directory, List<RunGroup> runs) throws LagbenchException {
        long free = directory.toFile().getUsableSpace();
        long all = 0;
        for (RunGroup run : runs) {
            long bytes = run.runs().stream()
                    .mapToLong(one -> one.point().stampBytes())
                    .sum();
            if (bytes > free) {
                throw new LagbenchException(
                        ExitCode.FILES,
                        "The stamps of the run " + run.name() + " need " + gigabytes(bytes) + ", and "
                                + IoErrors.disk(directory) + " has room for " + gigabytes(free)
                                + ". Make room, use --output, or set fewer packets.");
            }
            all += bytes;
        }
        return all < NOTED_BYTES
                ? Optional.empty()
                : Optional.of("The stamps of the runs to be made will need " + gigabytes(all) + "; "
                        + IoErrors.disk(directory) + " has room for " + gigabytes(free) + ".");
    }

    private static String gigabytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
}
