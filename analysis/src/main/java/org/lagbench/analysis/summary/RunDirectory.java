package org.lagbench.analysis.summary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.run.StreamRole;

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
    /** The captures of packets, whose records are compared with the counts of the run's record. */
    private static final List<String> OF_PACKETS = List.of(SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME);

    private static final Transports TRANSPORTS = Transports.load();

    /** Returns the run's name, which is the directory's name. */
    public String name() {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** Returns whether none of these files is damaged; a file that was never written is not. */
    public boolean isIntact(Collection<String> files) {
        return files.stream().noneMatch(damage::containsKey);
    }

    /** Returns the error of the captures of the packets, as a part of a sentence; null if nothing is known. */
    public @Nullable String packetDamage() {
        return Stream.of(SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME, ReceiverCapture.REPLIES_FILE_NAME)
                .filter(damage::containsKey)
                .map(file -> file + " " + damage.get(file))
                .findFirst()
                .orElse(null);
    }

    /** Returns the role of a complete run among several streams; null for other runs. */
    @Nullable
    StreamRole completeStream() {
        return record == null || record.state() != RunRecord.State.COMPLETE ? null : record.run().stream();
    }

    /** Returns why metrics exclude the run, by its record and its checksums, as parts of a sentence; usually none. */
    public List<String> flaws() {
        List<String> flaws = new ArrayList<>();
        if (record == null) {
            flaws.add(String.valueOf(problem));
        } else if (record.state() != RunRecord.State.COMPLETE) {
            String state =
                    switch (record.state()) {
                        case RUNNING -> "is running, or its processes were killed";
                        case INTERRUPTED -> "interrupted";
                        default -> "broke off";
                    };
            flaws.add(record.failure() == null ? state : state + ": " + record.failure());
        }
        String damaged = packetDamage();
        if (damaged != null) {
            flaws.add(damaged);
        }
        return flaws;
    }

    /** Returns whether a directory has stamps of a sender. */
    public static boolean hasStamps(Path directory) {
        try (CaptureReader capture = CaptureReader.open(directory.resolve(SenderCapture.FILE_NAME))) {
            return capture.records() > 0;
        } catch (LagbenchException e) {
            return false; // absent, or without a header
        }
    }

    /**
     * Opens and joins the captures of the packets.
     *
     * @throws LagbenchException with the path, if a capture or the record is unreadable or corrupt
     */
    public JoinedRun open() throws LagbenchException {
        return JoinedRun.open(path, record);
    }

    /** Returns how the captures of the packets contradict the record of a complete run; null if they do not. */
    public @Nullable String mismatch(JoinedRun captures) {
        if (record == null || record.state() != RunRecord.State.COMPLETE) {
            return null;
        }
        String sender = mismatch("sender", captures.senderRecords(), record.stampedPackets());
        RunRecord.Counts counts = record.counts();
        return sender != null || counts == null
                ? sender
                : mismatch("receiver", captures.receiverRecords(), counts.records());
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
                record = RunRecord.read(directory);
                problem = unusableMember(record);
            } catch (LagbenchException e) {
                problem = e.sentence();
            }
        } else {
            problem = "there is no " + RunRecord.FILE_NAME + "; the run was never ended";
        }
        return new RunDirectory(directory, problem == null ? record : null, problem, damageOf(directory, record));
    }

    /** Returns the member of a record that cannot be used, as a sentence; null if all can. */
    private static @Nullable String unusableMember(RunRecord record) {
        String name = record.point().transport();
        if (TRANSPORTS.find(name).isEmpty()) {
            return RunRecord.FILE_NAME + ": run.point.transport: \"" + name + "\" is not one of "
                    + String.join(", ", TRANSPORTS.names())
                    + ". Restore the file from a copy, or read it where this transport is installed.";
        }
        RunRecord.Side receiver = record.receiver();
        try {
            SideFacts.check(record.sender().metadata(), "sender.metadata");
            SideFacts.check(receiver == null ? Map.of() : receiver.metadata(), "receiver.metadata");
            return null;
        } catch (IllegalArgumentException e) {
            return RunRecord.FILE_NAME + ": " + e.getMessage() + ". Restore the file from a copy.";
        }
    }

    /**
     * Compares the files of a directory with their checksums.
     *
     * @return the error of each damaged file, by its name: {@code is missing}
     */
    static Map<String, String> damageByChecksums(Path directory) {
        try {
            Checksums checksums = Checksums.read(directory);
            return checksums == null ? new TreeMap<>() : new TreeMap<>(checksums.damage(directory));
        } catch (LagbenchException e) {
            return new TreeMap<>(Map.of(Checksums.FILE_NAME, unusable(e)));
        }
    }

    /**
     * Like {@link #damageByChecksums}, and also opens the captures. A complete run must have both captures of its
     * packets.
     *
     * @param record the run's record; null if it cannot be read
     */
    private static Map<String, String> damageOf(Path directory, @Nullable RunRecord record) {
        Map<String, String> damage = damageByChecksums(directory);
        boolean isComplete = record != null && record.state() == RunRecord.State.COMPLETE;
        try {
            Set<String> names = new TreeSet<>(RunFileNames.list(directory, RunFileNames::isCapture));
            if (isComplete) {
                names.addAll(OF_PACKETS);
            } else {
                names.removeAll(OF_PACKETS); // may never have been written
            }
            for (String name : names) {
                String found = damage.containsKey(name) ? null : damageOfCapture(directory.resolve(name), isComplete);
                if (found != null) {
                    damage.put(name, found);
                }
            }
        } catch (IOException e) {
            damage.put(RunRecord.FILE_NAME, "is in a directory that cannot be read: " + IoErrors.reason(e));
        }
        return damage;
    }

    private static @Nullable String damageOfCapture(Path file, boolean isComplete) {
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

    static String unusable(LagbenchException failure) {
        return "cannot be used: " + failure.sentence().replaceFirst("\\.$", "");
    }
}
