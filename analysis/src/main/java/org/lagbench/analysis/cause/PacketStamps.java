package org.lagbench.analysis.cause;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;

/**
 * When one side of a run stamped its packets: its process was not stopped then.
 *
 * @param count the number of stamps
 * @param reader of the stamps, which ascend
 */
record PacketStamps(long count, Reader reader) {
    /** Reads stamps. */
    @FunctionalInterface
    interface Reader {
        /** Returns a stamp, CLOCK_REALTIME of the side in ns. */
        long atNs(long index) throws LagbenchException;
    }

    /** Returns the stamps of the packets sent. */
    static PacketStamps ofSender(JoinedRun run) {
        return new PacketStamps(run.sent(), run::sentNs);
    }

    /** Returns the stamps of the packets received. */
    static PacketStamps ofReceiver(JoinedRun run) {
        return new PacketStamps(run.received(), run::receivedNs);
    }

    /**
     * Returns the longest part of a stop without a stamp. A {@linkplain Cause#STALL stop} is also found by a thread
     * that sleeps too long, whose waits for a CPU the kernel does not always count.
     */
    Gap longestGap(long fromNs, long toNs) throws LagbenchException {
        long beginNs = fromNs;
        Gap longest = new Gap(fromNs, fromNs);
        for (long index = firstAfter(fromNs); index < count && reader.atNs(index) < toNs; index++) {
            longest = longest.orLonger(beginNs, reader.atNs(index));
            beginNs = reader.atNs(index);
        }
        return longest.orLonger(beginNs, toNs);
    }

    private long firstAfter(long timeNs) throws LagbenchException {
        long from = 0;
        long to = count;
        while (from < to) {
            long middle = (from + to) >>> 1;
            if (reader.atNs(middle) > timeNs) {
                to = middle;
            } else {
                from = middle + 1;
            }
        }
        return from;
    }

    /** A time span. */
    record Gap(long fromNs, long toNs) {
        private Gap orLonger(long otherFromNs, long otherToNs) {
            return otherToNs - otherFromNs > lengthNs() ? new Gap(otherFromNs, otherToNs) : this;
        }

        long lengthNs() {
            return toNs - fromNs;
        }
    }
}
