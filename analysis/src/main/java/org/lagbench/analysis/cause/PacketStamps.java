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
    /** A stop has delayed the next stamp by this, or by half of the gap if that is less: its bounds are not exact. */
    private static final long SHORTEST_DELAY_NS = Cause.SHORTEST_STALL_NS / 2;

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

    /**
     * Returns whether the stamps before and after a gap are farther apart than those of the run are in the mean, so
     * that a stop in it has delayed a packet: a process that was never stopped also stamps none between two packets.
     */
    boolean isLongerThanUsual(Gap gap) throws LagbenchException {
        long after = firstAfter(gap.toNs() - 1);
        long before = firstAfter(gap.fromNs()) - 1;
        return before < 0
                || after == count
                || reader.atNs(after) - reader.atNs(before)
                        >= meanIntervalNs() + Math.min(gap.lengthNs() / 2, SHORTEST_DELAY_NS);
    }

    private long meanIntervalNs() throws LagbenchException {
        return (reader.atNs(count - 1) - reader.atNs(0)) / Math.max(1, count - 1);
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
