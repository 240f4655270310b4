package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * The files of one side of a run other than its stamps. The run is complete without them, for example on a full disk;
 * {@code run.json} names the missing files. Not thread-safe.
 */
public final class BestEffortFiles {
    /** The key in {@code run.json} with the names of missing files, each with the reason. */
    private static final String METADATA_NAME = "filesNotWritten";

    /** A name with its reason, before another one or the end. */
    private static final Pattern FILE = Pattern.compile("([\\w.-]+\\.npy) \\((.*?)\\)(?=, [\\w.-]+\\.npy|$)");

    private final Path directory;
    private final Map<String, String> missing = new TreeMap<>();

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
     * @param name the file's name
     */
    public void write(String name, Write write) {
        try {
            write.run();
        } catch (IOException e) {
            addMissing(name, e);
        }
    }

    /** Adds a file that could not be written, or something else that could not be recorded. */
    public void addMissing(String name, Exception why) {
        missing.put(name, IoErrors.reason(why));
    }

    /** Puts the names of missing files, if any, with their reasons into the metadata. */
    public void putMetadata(Map<String, Object> into) {
        if (!missing.isEmpty()) {
            into.put(METADATA_NAME, text());
        }
    }

    private String text() {
        return missing.entrySet().stream()
                .map(file -> file.getKey() + " (" + file.getValue() + ")")
                .collect(Collectors.joining(", "));
    }

    /** Returns the reasons for missing files by their names, from the metadata of a side. */
    public static Map<String, String> missing(Map<String, Object> metadata) {
        Map<String, String> reasons = new TreeMap<>();
        if (metadata.get(METADATA_NAME) instanceof String files) {
            FILE.matcher(files).results().forEach(file -> reasons.put(file.group(1), file.group(2)));
        }
        return reasons;
    }

    /**
     * Checks that no file is missing.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} and the names of missing files
     */
    public void throwIfMissing() throws LagbenchException {
        if (!missing.isEmpty()) {
            throw ExitCode.FILES.failure(directory + ": missing " + text() + ", on " + IoErrors.disk(directory)
                    + "; the stamps of the run are complete.");
        }
    }
}
