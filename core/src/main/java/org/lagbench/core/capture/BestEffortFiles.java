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
    /** The key in {@code run.json} with the names of lacking files, each with the reason. */
    public static final String METADATA_NAME = "filesNotWritten";

    private final Path directory;
    private final List<String> lacking = new ArrayList<>();

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
            addLacking(name, e);
        }
    }

    /**
     * Adds files that could not be written.
     *
     * @param names the names for the user
     */
    public void addLacking(String names, IOException why) {
        lacking.add(names + " (" + IoErrors.reason(why) + ")");
    }

    /** Puts the names of lacking files, if any, into the metadata. */
    public void putMetadata(Map<String, Object> into) {
        if (!lacking.isEmpty()) {
            into.put(METADATA_NAME, String.join(", ", lacking));
        }
    }

    /**
     * Checks that no file is lacking.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the names of lacking files
     */
    public void throwIfLacking() throws LagbenchException {
        if (!lacking.isEmpty()) {
            throw ExitCode.FILES.failure(directory + ": missing " + String.join(", ", lacking) + ", on "
                    + IoErrors.disk(directory) + "; the stamps of the run are complete.");
        }
    }
}
