package org.lagbench.analysis.stage;

import java.util.Arrays;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;

/**
 * The kernel's transmit stamps by packet, found in one pass over their file. A datagram's key is its number. Of TCP,
 * which puts several packets into one segment and stamps the segment's last byte, a packet has the stamps of the first
 * key at or past its own last byte. Where stages differ in that key, or it is farther off than a segment is long,
 * stamps were dropped by the kernel and the packet has none.
 *
 * <p>Packets are to be asked for roughly in order: {@value #WINDOW} of them are held, 5 MiB. Keys have 32 bits in the
 * file; they are counted on from the key before, which is right unless 2³¹ of them were dropped. Not thread-safe.
 */
final class TransmitStamps {
    private static final int WINDOW = 1 << 17;
    private static final long MASK = WINDOW - 1;

    /** How far beyond a packet stamps are looked through for one that overtook it. */
    private static final long LOOK_AHEAD = WINDOW / 2;

    /** What offloading lets a segment be at most. */
    private static final long MOST_SEGMENT_BYTES = 1 << 16;

    private static final long NONE = Long.MIN_VALUE;

    private final CaptureReader reader;
    private final int stageField;
    private final int keyField;
    private final int kernelField;
    private final long firstKey;
    private final long keysAPacket;
    private final StampWindow scheduled = new StampWindow();
    private final StampWindow sent = new StampWindow();
    private long next;

    /**
     * @param firstKey the key of packet 0, not modulo anything
     * @param keysAPacket by how much the next packet's is greater: 1 for datagrams, a packet's bytes for TCP
     */
    TransmitStamps(CaptureReader reader, long firstKey, long keysAPacket) throws LagbenchException {
        this.reader = reader;
        this.stageField = reader.field("stage");
        this.keyField = reader.field("key");
        this.kernelField = reader.field("kernel_ns");
        this.firstKey = firstKey;
        this.keysAPacket = keysAPacket;
    }

    /** Whether both stamps of a packet are known. */
    boolean find(long packet) throws LagbenchException {
        while (next < reader.records()
                && !(scheduled.has(packet) && sent.has(packet))
                && Math.min(scheduled.end, sent.end) <= packet + LOOK_AHEAD) {
            take(next++);
        }
        return scheduled.has(packet)
                && sent.has(packet)
                && scheduled.key(packet) == sent.key(packet)
                && scheduled.key(packet) - keyOf(packet) < (keysAPacket == 1 ? 1 : MOST_SEGMENT_BYTES);
    }

    /** When the packet that was found entered the queueing discipline, CLOCK_REALTIME in ns. */
    long scheduledNs(long packet) {
        return scheduled.ns(packet);
    }

    /**
     * When the driver took the packet that was found, CLOCK_REALTIME in ns. Of a packet in the midst of a TCP segment
     * it is when the segment's end was taken: where the queueing discipline cuts long segments, the packet left before.
     */
    long sentNs(long packet) {
        return sent.ns(packet);
    }

    /** Whether the stamps of the packet that was found are of its own last byte. */
    boolean areItsOwn(long packet) {
        return sent.key(packet) == keyOf(packet);
    }

    private long keyOf(long packet) {
        return firstKey + packet * keysAPacket;
    }

    private void take(long record) throws LagbenchException {
        long stage = reader.value(record, stageField);
        if (stage == KernelCapture.SCHEDULED) {
            put(scheduled, reader.value(record, keyField), reader.value(record, kernelField));
        } else if (stage == KernelCapture.SENT) {
            put(sent, reader.value(record, keyField), reader.value(record, kernelField));
        }
    }

    private void put(StampWindow column, long shortKey, long ns) {
        long key = column.lastKey + (int) (shortKey - column.lastKey);
        column.lastKey = Math.max(column.lastKey, key);
        long packet = Math.floorDiv(key - firstKey, keysAPacket);
        if (packet < 0) {
            return;
        }
        if (keysAPacket == 1) {
            column.put(packet, key, ns);
        } else {
            // more than a window of packets at once are of stamps that were dropped, and will be found too far off
            for (long covered = Math.max(column.end, packet - WINDOW + 1); covered <= packet; covered++) {
                column.put(covered, key, ns);
            }
        }
        column.end = Math.max(column.end, packet + 1);
    }

    /** The stamps of one stage, of the last packets of which there were any. */
    private static final class StampWindow {
        private final long[] packets = new long[WINDOW];
        private final long[] keys = new long[WINDOW];
        private final long[] stampsNs = new long[WINDOW];
        private long lastKey;

        /** After the last packet that has a stamp. */
        private long end;

        StampWindow() {
            Arrays.fill(packets, NONE);
        }

        /** The first stamp of a packet counts: TCP's later ones are of its being sent again. */
        void put(long packet, long key, long ns) {
            int at = (int) (packet & MASK);
            if (packets[at] < packet) {
                packets[at] = packet;
                keys[at] = key;
                stampsNs[at] = ns;
            }
        }

        boolean has(long packet) {
            return packets[(int) (packet & MASK)] == packet;
        }

        long key(long packet) {
            return keys[(int) (packet & MASK)];
        }

        long ns(long packet) {
            return stampsNs[(int) (packet & MASK)];
        }
    }
}
