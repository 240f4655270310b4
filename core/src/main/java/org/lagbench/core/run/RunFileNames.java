package org.lagbench.core.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;

/**
 * The names of the files in a run's directory. A side's files are its captures, NumPy files called {@code sender….npy}
 * or {@code receiver….npy}; the sender also keeps the two-way stamps and the {@linkplain RunRecord#FILE_NAME record}.
 * These names cross the control connection, so they cannot name files outside that directory or files of the other
 * side.
 */
public final class RunFileNames {
    private static final Pattern RECEIVERS = Pattern.compile("receiver(-[a-z0-9]{1,20}){0,4}\\.npy");
    private static final Pattern SENDERS =
            Pattern.compile("sender(-[a-z0-9]{1,20}){0,4}\\.npy|two-way\\.npy|run\\.json");

    private RunFileNames() {}

    /** Returns whether this may be the name of a sender's file. */
    public static boolean isSenders(String name) {
        return SENDERS.matcher(name).matches();
    }

    /** Returns whether this may be the name of a receiver's file. */
    public static boolean isReceivers(String name) {
        return RECEIVERS.matcher(name).matches();
    }

    /** Returns whether this may be the name of a side's file. */
    public static boolean isName(String name) {
        return isSenders(name) || isReceivers(name);
    }

    /** Returns whether this may be the name of a capture. */
    public static boolean isCapture(String name) {
        return isName(name) && !name.equals(RunRecord.FILE_NAME);
    }

    /**
     * Returns the names of some files in a run's directory, in alphabetical order, but the record last: with it a run
     * is complete.
     */
    public static List<String> list(Path runDirectory, Predicate<String> isListed) throws IOException {
        try (Stream<Path> files = Files.list(runDirectory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(isListed)
                    .sorted(Comparator.<String, Boolean>comparing(RunRecord.FILE_NAME::equals)
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
        }
    }

    /** Returns the directory with a run's name, or with a number after it, that does not have this file. */
    public static Path unusedDirectory(Path parent, String run, String file) {
        Path unused = parent.resolve(run);
        for (int i = 2; Files.exists(unused.resolve(file)); i++) {
            unused = parent.resolve(run + "." + i);
        }
        return unused;
    }

    /**
     * Adds the checksums of a run's files that have none yet.
     *
     * @param isFinished whether nothing writes to the file of this name any more
     */
    public static void addChecksums(Path runDirectory, Predicate<String> isFinished) throws LagbenchException {
        try {
            Checksums.add(runDirectory, list(runDirectory, name -> isName(name) && isFinished.test(name)));
        } catch (IOException e) {
            throw IoErrors.toException(runDirectory + " cannot be read", e);
        }
    }
}
