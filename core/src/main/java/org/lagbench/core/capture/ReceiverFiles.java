package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files that a receiver keeps of a run: {@link ReceiverCapture#FILE_NAME} and its observations, NumPy files called
 * {@code receiver-….npy} in the run's directory. Their names cross the control connection, so they cannot name files
 * outside that directory or files of the sender.
 */
public final class ReceiverFiles {
    private static final Pattern NAME = Pattern.compile("receiver(-[a-z0-9]{1,20}){0,4}\\.npy");

    private ReceiverFiles() {}

    /** Returns whether this may be the name of a receiver's file. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Returns the names of the receiver's files in a run's directory, in alphabetical order. */
    public static List<String> names(Path runDirectory) throws IOException {
        try (Stream<Path> files = Files.list(runDirectory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(ReceiverFiles::isName)
                    .sorted()
                    .toList();
        }
    }

    /** Deletes the receiver's files from a run's directory. */
    public static void delete(Path runDirectory) throws IOException {
        for (String name : names(runDirectory)) {
            Files.deleteIfExists(runDirectory.resolve(name));
        }
    }
}
