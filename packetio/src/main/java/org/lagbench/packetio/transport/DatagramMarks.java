package org.lagbench.packetio.transport;

import org.lagbench.core.clock.RealtimeClock;

/**
 * When a side took each datagram from its socket, or wrote one that carries a packet, with a mark of the datagram,
 * while this is armed. It shows which datagram brought a packet where nobody else can read that: the receiver passes on
 * what a datagram lets it pass on before it takes the next one, and the sender writes packets in their order.
 *
 * <p>One thread calls {@link #add}, and another one all else. Allocates nothing after it was armed.
 */
public final class DatagramMarks {
    /** The mark while it is not known which datagram was taken or written. */
    public static final long UNKNOWN = -1;

    private final int markOffset;
    private volatile boolean isArmed;
    private volatile int count;
    private boolean isOpen;
    private long[] marks = {};
    private long[] passedNs = {};

    /** @param markOffset the bytes of a datagram before its mark, which are 32 bits that differ between datagrams */
    public DatagramMarks(int markOffset) {
        this.markOffset = markOffset;
    }

    /** Returns the bytes of a datagram before its mark. */
    public int markOffset() {
        return markOffset;
    }

    /**
     * Begins to record.
     *
     * @param capacity the largest number of datagrams in all, the same in each call
     */
    public void arm(int capacity) {
        if (marks.length == 0) {
            marks = new long[capacity];
            passedNs = new long[capacity];
        }
        isArmed = true;
    }

    /** Ends the recording until it is armed. */
    public void disarm() {
        isArmed = false;
    }

    /** Adds a datagram that was just taken or is written now. */
    public void add(int mark) {
        if (isArmed) {
            append(Integer.toUnsignedLong(mark));
        } else if (isOpen) {
            append(UNKNOWN);
        }
    }

    private void append(long mark) {
        int at = count;
        if (at < marks.length) {
            boolean isLast = at == marks.length - 1;
            isOpen = mark != UNKNOWN && !isLast;
            marks[at] = isOpen ? mark : UNKNOWN;
            passedNs[at] = RealtimeClock.nowNs();
            count = at + 1;
        }
    }

    /** Returns the number of records. */
    public int count() {
        return count;
    }

    /** Returns the mark of a record, or {@link #UNKNOWN}. */
    public long mark(int record) {
        return marks[record];
    }

    /** Returns when the datagram of a record was taken or written, CLOCK_REALTIME in ns. */
    public long passedNs(int record) {
        return passedNs[record];
    }
}
