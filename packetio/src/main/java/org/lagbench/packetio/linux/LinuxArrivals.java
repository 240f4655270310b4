package org.lagbench.packetio.linux;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The arrivals of the TCP segments, or of the UDP datagrams of a run, for one port of this host, which the observer in
 * the kernel records before it joins them (arrivals.h). Not thread-safe.
 */
public final class LinuxArrivals implements AutoCloseable {
    /**
     * The longs of an arrival: when (CLOCK_REALTIME in ns, 0 if unknown), the lower 32 bits of the sequence number of a
     * segment's first byte or of a datagram's first packet, and the bytes of data.
     */
    public static final int FIELDS = 3;

    /** The largest capacity: 64 MiB of the kernel's memory. */
    public static final int MAX_CAPACITY = 1 << 22;

    private final long address;
    private boolean closed;

    private LinuxArrivals(long address) {
        this.address = address;
    }

    /**
     * Loads the observer, which records nothing yet.
     *
     * @param capacity the number of arrivals for which to take memory, at most {@link #MAX_CAPACITY}
     * @throws LagbenchException if that is impossible here; the message says why, and what to do
     */
    public static LinuxArrivals load(int capacity) throws LagbenchException {
        LinuxSockets.load();
        long opened = open(capacity);
        if (opened < 0) {
            throw ExitCode.UNAVAILABLE.failure(LinuxSchedulerRecord.refusal((int) opened, "6.1"));
        }
        return new LinuxArrivals(opened);
    }

    /**
     * Starts to record the segments of a connection.
     *
     * @param port the receiver's port, in the network namespace of this thread
     * @throws LagbenchException if the kernel refuses it
     */
    public void startStream(int port) throws LagbenchException {
        check(startStream(address, port));
    }

    /**
     * Starts to record the datagrams whose first packet has a tag.
     *
     * @param port the receiver's port, in the network namespace of this thread
     * @param headerBytes the bytes of a datagram's data before its first packet
     * @throws LagbenchException if the kernel refuses it
     */
    public void startDatagrams(int port, long tag, int headerBytes) throws LagbenchException {
        check(startDatagrams(address, port, tag, headerBytes));
    }

    private static void check(int error) throws LagbenchException {
        if (error < 0) {
            throw ExitCode.UNAVAILABLE.failure(LinuxSchedulerRecord.refusal(error, "6.1"));
        }
    }

    /** Ends the recording. */
    public void stop() {
        stop(address);
    }

    /**
     * Reads arrivals in their order.
     *
     * @param from the number of the first, from 0
     * @param arrivals receives {@link #FIELDS} longs for each
     * @return how many were read; 0 if there are no more
     */
    public int read(long from, long[] arrivals) {
        return read(address, from, arrivals);
    }

    /** Returns the number of arrivals that are not in the record: it was full, or the kernel omitted them. */
    public long lost() {
        return lost(address);
    }

    /** Returns the number of segments from another sender than the first; they are not in the record. */
    public long foreign() {
        return foreign(address);
    }

    /** Releases all resources. Closing again does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            close(address);
        }
    }

    /** Returns an address, or −errno. */
    private static native long open(int capacity);

    /** Returns 0 or −errno. */
    private static native int startStream(long address, int port);

    /** Returns 0 or −errno. */
    private static native int startDatagrams(long address, int port, long tag, int headerBytes);

    private static native void stop(long address);

    private static native int read(long address, long from, long[] arrivals);

    private static native long lost(long address);

    private static native long foreign(long address);

    private static native void close(long address);
}
