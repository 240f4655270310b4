package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a receiver keeps of a run: {@link ReceiverCapture#FILE_NAME} and whatever else it observed, each a NumPy file in
 * the run's directory called {@code receiver-….npy}. Their names cross the control connection, so that they can name
 * nothing outside that directory and nothing that is the sender's.
 */
public final class ReceiverFiles {
    private static final Pattern NAME = Pattern.compile("receiver(-[a-z0-9]{1,20}){0,4}\\.npy");

    private ReceiverFiles() {}

    /** Whether a file may be called that. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** The names of those in a run's directory, in alphabetical order. */
    public static List<String> names(Path runDirectory) throws IOException {
        try (Stream<Path> files = Files.list(runDirectory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(ReceiverFiles::isName)
                    .sorted()
                    .toList();
        }
    }

    /** Deletes them from a run's directory. */
    public static void delete(Path runDirectory) throws IOException {
        for (String name : names(runDirectory)) {
            Files.deleteIfExists(runDirectory.resolve(name));
        }
    }
}
