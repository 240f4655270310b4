package org.lagbench.analysis.summary;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.RunRecord;

/**
 * What a kernel granted of a socket's buffer in the runs of one point.
 *
 * @param side which of the two buffers
 * @param requestedBytes what was asked for; null if it was left to the kernel
 * @param leastBytes what was granted, the least of the runs, as Linux tells it: twice what is asked for
 * @param mostBytes the same, the most of the runs; another where the kernel grows buffers of itself
 * @param limitBytes what the machine lets a program ask for, the least of the runs; null unless that is less than what
 *     was asked for
 */
public record BufferGrant(
        BufferSide side, @Nullable Long requestedBytes, long leastBytes, long mostBytes, @Nullable Long limitBytes) {
    /** Which buffer, on which side. */
    public enum BufferSide {
        /** Of the sender, for what is on its way out. */
        SEND("send", "the sender's host", "net.core.wmem_max"),
        /** Of the receiver, for what came. */
        RECEIVE("receive", "the receiver's host", "net.core.rmem_max");

        private final String direction;
        private final String host;
        private final String sysctl;

        BufferSide(String direction, String host, String sysctl) {
            this.direction = direction;
            this.host = host;
            this.sysctl = sysctl;
        }

        /** The name in files, to which the names of metadata are appended: "sendBuffer". */
        public String text() {
            return direction + "Buffer";
        }
    }

    /** The grants that the runs tell of. */
    static Map<BufferSide, BufferGrant> of(List<RunRecord> runs) {
        Map<BufferSide, BufferGrant> grants = new EnumMap<>(BufferSide.class);
        for (BufferSide side : BufferSide.values()) {
            BufferGrant grant = null;
            for (RunRecord run : runs) {
                RunRecord.Side told = side == BufferSide.SEND ? run.sender() : run.receiver();
                BufferGrant one = told == null ? null : of(side, told.metadata());
                grant = one == null || grant == null ? (one == null ? grant : one) : grant.with(one);
            }
            if (grant != null) {
                grants.put(side, grant);
            }
        }
        return grants;
    }

    /** What raises the limit, as a sentence; null if nothing more was asked for than is granted. */
    public @Nullable String remedy() {
        return limitBytes == null
                ? null
                : side.direction + "-buffer: " + requestedBytes + " bytes were asked for, but " + side.host
                        + " grants no more than " + limitBytes + "; to raise that: sudo sysctl -w " + side.sysctl + "="
                        + requestedBytes;
    }

    private static @Nullable BufferGrant of(BufferSide side, Map<String, Object> metadata) {
        Long granted = bytes(metadata.get(side.text() + "Bytes"));
        return granted == null
                ? null
                : new BufferGrant(
                        side,
                        bytes(metadata.get(side.text() + "RequestedBytes")),
                        granted,
                        granted,
                        bytes(metadata.get(side.text() + "LimitBytes")));
    }

    private BufferGrant with(BufferGrant other) {
        Long limit = limitBytes == null || (other.limitBytes != null && other.limitBytes < limitBytes)
                ? other.limitBytes
                : limitBytes;
        return new BufferGrant(
                side,
                requestedBytes,
                Math.min(leastBytes, other.leastBytes),
                Math.max(mostBytes, other.mostBytes),
                limit);
    }

    private static @Nullable Long bytes(@Nullable Object value) {
        return value instanceof Number number ? (Long) number.longValue() : null;
    }
}
