package org.lagbench.analysis.join;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.DropFacts;
import org.lagbench.core.run.RunRecord;

/** The packets that the receiving kernel dropped, with its reasons. Takes about 100 bytes for each. Immutable. */
public final class PacketDrops {
    private final Map<Long, Drop> drops = new HashMap<>();
    private final boolean isComplete;

    private PacketDrops(boolean isComplete) {
        this.isComplete = isComplete;
    }

    /**
     * A drop.
     *
     * @param droppedNs when, CLOCK_REALTIME of the receiver in ns
     * @param reason the kernel's name of the reason, such as SOCKET_RCVBUFF
     */
    public record Drop(long droppedNs, String reason) {}

    /**
     * Reads the drops of a run.
     *
     * @param directory the run's directory
     * @return null if they were not recorded
     */
    public static @Nullable PacketDrops read(Path directory, RunRecord record) throws LagbenchException {
        Path file = directory.resolve(DropsCapture.FILE_NAME);
        RunRecord.Side receiver = record.receiver();
        DropFacts metadata = receiver == null ? null : receiver.metadata(DropFacts.class);
        if (metadata == null || !metadata.areRecorded()) {
            return null;
        }
        String reasons = metadata.dropReasons();
        Map<String, String> names = reasons == null ? Map.of() : DropsCapture.parseReasons(reasons);
        Long lost = metadata.dropTimesLost();
        PacketDrops drops = new PacketDrops(lost != null && lost == 0);
        if (Files.exists(file)) {
            drops.add(file, names);
        }
        return drops;
    }

    private void add(Path file, Map<String, String> names) throws LagbenchException {
        try (CaptureReader capture = CaptureReader.open(file)) {
            int seq = capture.field("seq");
            int droppedNs = capture.field("dropped_ns");
            int reason = capture.field("reason");
            for (long i = 0; i < capture.records(); i++) {
                long number = capture.value(i, reason);
                drops.put(
                        capture.value(i, seq),
                        new Drop(
                                capture.value(i, droppedNs),
                                names.getOrDefault(Long.toString(number), "reason " + number)));
            }
        }
    }

    /** Returns the number of a run's packets that did not arrive, by the reason of their last drop. */
    public Map<String, Long> reasons(JoinedRun run) throws LagbenchException {
        BitSet arrived = run.arrivedPackets();
        Map<String, Long> reasons = new TreeMap<>();
        for (int packet = arrived.nextClearBit(0); packet < run.sent(); packet = arrived.nextClearBit(packet + 1)) {
            Drop drop = of(packet);
            if (drop != null) {
                reasons.merge(drop.reason(), 1L, Long::sum);
            }
        }
        return reasons;
    }

    /** Returns whether the record has all drops. */
    public boolean isComplete() {
        return isComplete;
    }

    /**
     * Returns the last drop of a packet; null if it has none. If the packet did not arrive, this is why: a drop before
     * can be that of a copy for a program that captures packets.
     */
    public @Nullable Drop of(long packet) {
        return drops.get(packet);
    }
}
