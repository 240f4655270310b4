package org.lagbench.analysis.summary;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;

/**
 * The directory of one run.
 *
 * @param path the directory
 * @param record the run's record; null if it cannot be read
 * @param problem why there is no record, as a sentence or a part of one; null if there is a record
 * @param damage what is wrong with each damaged file, by its name: {@code is missing}
 */
public record RunDirectory(
        Path path, @Nullable RunRecord record, @Nullable String problem, Map<String, String> damage) {
    /** Returns the run's name, which is the directory's name. */
    public String name() {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** Returns whether none of these files is damaged; a file that was never written is not. */
    public boolean isIntact(Collection<String> files) {
        return files.stream().noneMatch(damage::containsKey);
    }

    /** Returns what is wrong with the captures of the packets, as a part of a sentence; null if nothing is known. */
    public @Nullable String packetDamage() {
        return Stream.of(SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME, ReceiverCapture.ANSWERS_FILE_NAME)
                .filter(damage::containsKey)
                .map(file -> file + " " + damage.get(file))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether the record or a capture of packets cannot be used. */
    public boolean isUnusable() {
        return record == null || packetDamage() != null;
    }

    /** Returns why metrics exclude the run, by its record and its checksums, as parts of a sentence; usually none. */
    public List<String> flaws() {
        List<String> flaws = new ArrayList<>();
        if (record == null) {
            flaws.add(String.valueOf(problem));
        } else if (record.state() != RunRecord.State.COMPLETE) {
            String state = record.state() == RunRecord.State.INTERRUPTED ? "interrupted" : "broke off";
            flaws.add(record.failure() == null ? state : state + ": " + record.failure());
        }
        String damaged = packetDamage();
        if (damaged != null) {
            flaws.add(damaged);
        }
        return flaws;
    }

    /**
     * Returns how the captures of the packets contradict the record of a complete run; null if they do not.
     *
     * @param sent number of packets in the sender's capture
     * @param received number of packets in the receiver's capture
     */
    public @Nullable String mismatch(long sent, long received) {
        if (record == null || record.state() != RunRecord.State.COMPLETE) {
            return null;
        }
        String sender = mismatch("sender", sent, record.point().packets());
        RunRecord.Counts counts = record.counts();
        return sender != null || counts == null
                ? sender
                : mismatch("receiver", received, counts.received() - counts.unrecorded());
    }

    private static @Nullable String mismatch(String side, long held, long recorded) {
        return held == recorded
                ? null
                : "the " + side + "'s capture " + (held < recorded ? "was cut off" : "is not of this run")
                        + ": it holds " + held + " of " + recorded + " packets";
    }

    /** Returns whether a directory has any file of a run. */
    static boolean isRun(Path directory) {
        return Stream.of(RunRecord.FILE_NAME, SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME)
                .anyMatch(file -> Files.exists(directory.resolve(file)));
    }

    /** Reads the run's record, and checks its files. A failure is a {@link #problem}: other runs may be readable. */
    public static RunDirectory read(Path directory) {
        RunRecord record = null;
        String problem = null;
        if (Files.exists(directory.resolve(RunRecord.FILE_NAME))) {
            try {
                record = RunRecordFile.read(directory);
            } catch (LagbenchException e) {
                problem = e.sentence();
            }
        } else {
            problem = "there is no " + RunRecord.FILE_NAME + "; the run was never ended";
        }
        return new RunDirectory(directory, record, problem, FileDamage.ofRun(directory, record));
    }
}
