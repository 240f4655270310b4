package org.lagbench.packetio.transport;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.lagbench.core.run.PacketError;

/** Counts of errors that belong to a packet, of one side of a run. Any thread may count and read. */
public final class PacketErrorCounts {
    private final Map<PacketError, AtomicLong> failed = zeros();
    private final Map<PacketError, AtomicLong> retried = zeros();

    private static Map<PacketError, AtomicLong> zeros() {
        Map<PacketError, AtomicLong> counts = new EnumMap<>(PacketError.class);
        for (PacketError error : PacketError.values()) {
            counts.put(error, new AtomicLong());
        }
        return counts;
    }

    /** Counts packets that were not sent. */
    public void countFailed(PacketError error, long packets) {
        count(failed, error).addAndGet(packets);
    }

    /** Counts calls that were repeated because of an error of an earlier packet. */
    public void countRetried(PacketError error, long calls) {
        count(retried, error).addAndGet(calls);
    }

    private static AtomicLong count(Map<PacketError, AtomicLong> counts, PacketError error) {
        return Objects.requireNonNull(counts.get(error));
    }

    /** Adds the counts to others. */
    public void addTo(PacketErrorCounts others) {
        failed.forEach((error, packets) -> others.countFailed(error, packets.get()));
        retried.forEach((error, calls) -> others.countRetried(error, calls.get()));
    }

    /** Adds the errors that occurred to metadata. */
    public void putMetadata(Map<String, Object> into) {
        failed.forEach((error, packets) ->
                put(into, error.name(), packets.get(), count(retried, error).get()));
    }

    /** Sets the counts of an error in metadata; a count of 0 stays absent. */
    public static void put(Map<String, Object> metadata, String error, long failed, long retried) {
        put(metadata, PacketError.FAILED_SENDS, error, failed);
        put(metadata, PacketError.RETRIED_SENDS, error, retried);
    }

    private static void put(Map<String, Object> metadata, String name, String error, long count) {
        if (count > 0) {
            metadata.compute(name, (key, others) -> {
                Map<Object, Object> counts = others instanceof Map<?, ?> map ? new TreeMap<>(map) : new TreeMap<>();
                counts.put(error, count);
                return counts;
            });
        }
    }
}
