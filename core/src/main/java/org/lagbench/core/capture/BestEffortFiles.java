package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * The files of one side of a run other than its stamps. The run is complete without them, for example on a full disk;
 * {@code run.json} names the missing files. Not thread-safe.
 */
public final class BestEffortFiles {
    /** The key in {@code run.json} with the names of missing files, each with the reason. */
    public static final String METADATA_NAME = "filesNotWritten";

    private final Path directory;
    private final List<String> missing = new ArrayList<>();

    /**
     * Creates an object for a run.
     *
     * @param directory the run's directory
     */
    public BestEffortFiles(Path directory) {
        this.directory = directory;
    }

    /** An action that writes files. */
    @FunctionalInterface
    public interface Write {
        void run() throws IOException;
    }

    /**
     * Writes files.
     *
     * @param name the name for the user
     */
    public void write(String name, Write write) {
        try {
            write.run();
        } catch (IOException e) {
            addMissing(name, e);
        }
    }

    /**
     * Adds files that could not be written.
     *
     * @param names the names for the user
     */
    public void addMissing(String names, IOException why) {
        missing.add(names + " (" + IoErrors.reason(why) + ")");
    }

    /** Puts the names of missing files, if any, into the metadata. */
    public void putMetadata(Map<String, Object> into) {
        if (!missing.isEmpty()) {
            into.put(METADATA_NAME, String.join(", ", missing));
        }
    }

    /**
     * Checks that no file is missing.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the names of missing files
     */
    public void throwIfMissing() throws LagbenchException {
        if (!missing.isEmpty()) {
            throw ExitCode.FILES.failure(directory + ": missing " + String.join(", ", missing) + ", on "
                    + IoErrors.disk(directory) + "; the stamps of the run are complete.");
        }
    }
}
