package org.lagbench.sender;

import java.util.stream.LongStream;
import org.lagbench.packetio.transport.Retransmissions;

/**
 * Finds when a full receive window stopped a TCP connection, by the time that its kernel counts. The kernel counts in
 * ticks of its timer, of up to 10 ms, so that beginnings and ends are that uncertain. For one thread at a time.
 */
final class FullWindows {
    private static final long PERIOD_NS = 20_000_000;

    /** What is longer is divided, so that little is missing if a run ends meanwhile. */
    private static final long LONGEST_NS = 10 * PERIOD_NS;

    private final LongStream.Builder endsNs = LongStream.builder();
    private long atNs;
    private long fullNs;

    /** When the window became full; 0 if it is not. */
    private long sinceNs;

    private long startNs;
    private long count;

    /** Returns the number of times so far in which the window was full; −1 if that is unknown. */
    long count(Retransmissions now) {
        if (now.windowFullNs() < 0) {
            return -1;
        } else if (atNs == 0) {
            begin(now);
        } else if (now.atNs() - atNs >= PERIOD_NS) {
            look(now);
        }
        return count;
    }

    private void begin(Retransmissions now) {
        atNs = now.atNs();
        fullNs = now.windowFullNs();
    }

    private void look(Retransmissions now) {
        long periodNs = now.atNs() - atNs;
        long tookNs = Math.min(periodNs, now.windowFullNs() - fullNs);
        boolean isOver = tookNs <= periodNs / 2;
        if (sinceNs == 0 && tookNs > 0) {
            sinceNs = now.atNs() - tookNs;
        } else if (sinceNs != 0 && (isOver || now.atNs() - sinceNs >= LONGEST_NS)) {
            startNs = sinceNs;
            endsNs.add(isOver ? atNs + tookNs : now.atNs());
            sinceNs = isOver ? 0 : now.atNs();
            count++;
        }
        begin(now);
    }

    /** Returns when the last time that was counted began, CLOCK_REALTIME in ns. */
    long startNs() {
        return startNs;
    }

    /** Returns when the times that were counted ended, ascending; called once. */
    long[] endsNs() {
        return endsNs.build().toArray();
    }
}
