package org.lagbench.packetio.linux;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The arrivals of the TCP segments for one port of this host, which the observer in the kernel records before it joins
 * them (segments.h). Not thread-safe.
 */
public final class TcpSegments implements AutoCloseable {
    /** The longs of a segment: when it arrived (CLOCK_REALTIME in ns, 0 if unknown), its sequence number and bytes. */
    public static final int FIELDS = 3;

    /** The largest capacity: 64 MiB of the kernel's memory. */
    public static final int MAX_CAPACITY = 1 << 22;

    private final long address;
    private boolean closed;

    private TcpSegments(long address) {
        this.address = address;
    }

    /**
     * Loads the observer, which records nothing yet.
     *
     * @param capacity the number of segments for which to take memory, at most {@link #MAX_CAPACITY}
     * @throws LagbenchException if that is impossible here; the message says why, and what to do
     */
    public static TcpSegments load(int capacity) throws LagbenchException {
        LinuxSockets.load();
        long opened = open(capacity);
        if (opened < 0) {
            throw ExitCode.UNAVAILABLE.failure(LinuxSchedulerRecord.refusal((int) opened, "6.1"));
        }
        return new TcpSegments(opened);
    }

    /**
     * Starts to record.
     *
     * @param port the receiver's port, in the network namespace of this thread
     * @throws LagbenchException if the kernel refuses it
     */
    public void start(int port) throws LagbenchException {
        int error = start(address, port);
        if (error < 0) {
            throw ExitCode.UNAVAILABLE.failure(LinuxSchedulerRecord.refusal(error, "6.1"));
        }
    }

    /** Ends the recording. */
    public void stop() {
        stop(address);
    }

    /**
     * Reads segments in the order of their arrival.
     *
     * @param from the number of the first, from 0
     * @param segments receives {@link #FIELDS} longs for each
     * @return how many were read; 0 if there are no more
     */
    public int read(long from, long[] segments) {
        return read(address, from, segments);
    }

    /** Returns the number of segments that are not in the record: it was full, or the kernel omitted them. */
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
    private static native int start(long address, int port);

    private static native void stop(long address);

    private static native int read(long address, long from, long[] segments);

    private static native long lost(long address);

    private static native long foreign(long address);

    private static native void close(long address);
}
