package org.lagbench.analysis.cause;

import java.util.Arrays;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;

/**
 * The kernel's transmit stamps by packet, found in one pass through their file. The key of a datagram is its number.
 * TCP puts several packets into one segment and stamps the segment's last byte. So a packet has the stamps of the first
 * key at or after its own last byte. If the stages differ in that key, or it is more than a segment away, the kernel
 * dropped stamps and the packet has none.
 *
 * <p>Packets must be queried roughly in order: {@value #WINDOW} of them are kept, 5 MiB. Keys in the file have 32 bits;
 * they are extended from the key before, correctly unless 2³¹ of them were dropped. Not thread-safe.
 */
final class TransmitStamps {
    private static final int WINDOW = 1 << 17;
    private static final long MASK = WINDOW - 1;

    /** How many packets ahead the reordered stamps of a packet are searched. */
    private static final long LOOK_AHEAD = WINDOW / 2;

    /** The largest segment that offloading allows. */
    private static final long LARGEST_SEGMENT_BYTES = 1 << 16;

    private static final long NONE = Long.MIN_VALUE;

    private final CaptureReader reader;
    private final int stageField;
    private final int keyField;
    private final int kernelField;
    private final long firstKey;
    private final long keysPerPacket;
    private final StampWindow scheduled = new StampWindow();
    private final StampWindow sent = new StampWindow();
    private long next;

    /**
     * @param firstKey the key of packet 0, in full
     * @param keysPerPacket difference of the keys of consecutive packets: 1 for datagrams, a packet's bytes for TCP
     */
    TransmitStamps(CaptureReader reader, long firstKey, long keysPerPacket) throws LagbenchException {
        this.reader = reader;
        this.stageField = reader.field("stage");
        this.keyField = reader.field("key");
        this.kernelField = reader.field("kernel_ns");
        this.firstKey = firstKey;
        this.keysPerPacket = keysPerPacket;
    }

    /** Finds the stamps of a packet and returns whether both are known. */
    boolean find(long packet) throws LagbenchException {
        while (next < reader.records()
                && !(scheduled.has(packet) && sent.has(packet))
                && Math.min(scheduled.end, sent.end) <= packet + LOOK_AHEAD) {
            read(next++);
        }
        return scheduled.has(packet)
                && sent.has(packet)
                && scheduled.key(packet) == sent.key(packet)
                && scheduled.key(packet) - keyOf(packet) < (keysPerPacket == 1 ? 1 : LARGEST_SEGMENT_BYTES);
    }

    /**
     * Returns when the driver received the packet that was found, CLOCK_REALTIME in ns. For a packet inside a TCP
     * segment it is when the driver received the segment's end: where the queueing discipline splits long segments, the
     * packet left earlier.
     */
    long sentNs(long packet) {
        return sent.ns(packet);
    }

    private long keyOf(long packet) {
        return firstKey + packet * keysPerPacket;
    }

    private void read(long record) throws LagbenchException {
        long stage = reader.value(record, stageField);
        if (stage == KernelCapture.SCHEDULED || stage == KernelCapture.SENT) {
            StampWindow window = stage == KernelCapture.SENT ? sent : scheduled;
            add(window, reader.value(record, keyField), reader.value(record, kernelField));
        }
    }

    private void add(StampWindow window, long shortKey, long ns) {
        long key = window.lastKey + (int) (shortKey - window.lastKey);
        window.lastKey = Math.max(window.lastKey, key);
        long packet = Math.floorDiv(key - firstKey, keysPerPacket);
        if (packet < 0) {
            return;
        }
        if (keysPerPacket == 1) {
            window.put(packet, key, ns);
        } else {
            // a gap of more than a window means dropped stamps, which find() rejects
            for (long covered = Math.max(window.end, packet - WINDOW + 1); covered <= packet; covered++) {
                window.put(covered, key, ns);
            }
        }
        window.end = Math.max(window.end, packet + 1);
    }

    /** The stamps of one stage, for the last packets that have any. */
    private static final class StampWindow {
        private final long[] packets = new long[WINDOW];
        private final long[] keys = new long[WINDOW];
        private final long[] stampsNs = new long[WINDOW];
        private long lastKey;

        /** One past the last packet that has a stamp. */
        private long end;

        StampWindow() {
            Arrays.fill(packets, NONE);
        }

        /** Adds a stamp, unless the packet has one: later ones are of TCP retransmissions. */
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
