package org.lagbench.core.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TwoWayCapture;
import org.lagbench.core.run.RunRecord;

/**
 * The files that a sender keeps of a run: {@link SenderCapture#FILE_NAME}, its observations called
 * {@code sender-….npy}, {@link TwoWayCapture#FILE_NAME} and {@link RunRecord#FILE_NAME}. Their names cross the control
 * connection, so they cannot name files outside the run's directory or files of the receiver.
 */
public final class SenderFiles {
    private static final Pattern NAME = Pattern.compile("sender(-[a-z0-9]{1,20}){0,4}\\.npy|two-way\\.npy|run\\.json");

    private SenderFiles() {}

    /** Returns whether this may be the name of a sender's file. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /** Returns the names of the sender's files in a run's directory. The record is last: with it a run is complete. */
    public static List<String> names(Path runDirectory) throws IOException {
        try (Stream<Path> files = Files.list(runDirectory)) {
            List<String> captures = files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> isName(name) && !name.equals(RunRecord.FILE_NAME))
                    .sorted()
                    .toList();
            return Stream.concat(captures.stream(), Stream.of(RunRecord.FILE_NAME))
                    .toList();
        }
    }
}
