package org.lagbench.analysis.summary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;

/** Finds damaged files: those that differ from their checksums, and captures that cannot be read. */
final class FileDamage {
    /** The captures of packets, whose records are compared with the counts of the run's record. */
    private static final List<String> OF_PACKETS = List.of(SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME);

    private FileDamage() {}

    /**
     * Compares the files of a directory with their checksums.
     *
     * @return what is wrong with each damaged file, by its name: {@code is missing}
     */
    static Map<String, String> byChecksums(Path directory) {
        try {
            Checksums checksums = Checksums.read(directory);
            return checksums == null ? new TreeMap<>() : new TreeMap<>(checksums.damage(directory));
        } catch (LagbenchException e) {
            return new TreeMap<>(Map.of(Checksums.FILE_NAME, unusable(e)));
        }
    }

    /**
     * Like {@link #byChecksums}, and also opens the captures. A complete run must have both captures of its packets.
     *
     * @param record the run's record; null if it cannot be read
     */
    static Map<String, String> ofRun(Path directory, @Nullable RunRecord record) {
        Map<String, String> damage = byChecksums(directory);
        boolean isComplete = record != null && record.state() == RunRecord.State.COMPLETE;
        try {
            Set<String> names = new TreeSet<>(RunFileNames.list(directory, RunFileNames::isCapture));
            if (isComplete) {
                names.addAll(OF_PACKETS);
            } else {
                names.removeAll(OF_PACKETS); // may never have been written
            }
            for (String name : names) {
                String found = damage.containsKey(name) ? null : ofCapture(directory.resolve(name), isComplete);
                if (found != null) {
                    damage.put(name, found);
                }
            }
        } catch (IOException e) {
            damage.put(RunRecord.FILE_NAME, "is in a directory that cannot be read: " + IoErrors.reason(e));
        }
        return damage;
    }

    private static @Nullable String ofCapture(Path file, boolean isComplete) {
        if (!Files.exists(file)) {
            return "is missing";
        }
        try (CaptureReader capture = CaptureReader.open(file)) {
            boolean isOfPackets = OF_PACKETS.contains(String.valueOf(file.getFileName()));
            return isComplete && !isOfPackets && capture.unfinished()
                    ? "is cut off after " + capture.records() + " of its records"
                    : null;
        } catch (LagbenchException e) {
            return unusable(e);
        }
    }

    private static String unusable(LagbenchException failure) {
        return "cannot be used: " + failure.sentence().replaceFirst("\\.$", "");
    }
}
