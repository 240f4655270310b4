package org.lagbench.packetio.linux;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The UDP datagrams of a run that the kernel dropped on their way to a port of this host, which the observer in the
 * kernel records (drops.h). Not thread-safe.
 */
public final class LinuxDrops implements AutoCloseable {
    /** The largest capacity: 6 MiB of the kernel's memory. */
    public static final int MAX_CAPACITY = 1 << 18;

    private static final int FIELDS = 4;
    private static final int AT_ONCE = 512;

    private final long address;
    private boolean closed;

    private LinuxDrops(long address) {
        this.address = address;
    }

    /** Accepts drops. */
    @FunctionalInterface
    public interface Consumer {
        /**
         * Accepts a dropped datagram.
         *
         * @param droppedNs when it was dropped, CLOCK_REALTIME in ns
         * @param sequence the lower 32 bits of the sequence number of its first packet
         * @param bytes the bytes of its data
         * @param reason the kernel's number of the reason, see {@link DropReasons}
         */
        void accept(long droppedNs, int sequence, long bytes, long reason);
    }

    /**
     * Loads the observer, which records nothing yet.
     *
     * @param capacity the number of drops for which to take memory, at most {@link #MAX_CAPACITY}
     * @throws LagbenchException if that is impossible here; the message says why, and what to do
     */
    public static LinuxDrops load(int capacity) throws LagbenchException {
        LinuxSockets.load();
        long opened = open(capacity);
        if (opened < 0) {
            throw ExitCode.UNAVAILABLE.failure(LinuxSchedulerRecord.refusal((int) opened, "6.1"));
        }
        return new LinuxDrops(opened);
    }

    /**
     * Starts to record the datagrams whose first packet has a tag.
     *
     * @param port the receiver's port, in the network namespace of this thread
     * @param headerBytes the bytes of a datagram's data before its first packet
     * @throws LagbenchException if the kernel refuses it
     */
    public void start(int port, long tag, int headerBytes) throws LagbenchException {
        int error = start(address, port, tag, headerBytes);
        if (error < 0) {
            throw ExitCode.UNAVAILABLE.failure(LinuxSchedulerRecord.refusal(error, "6.1"));
        }
    }

    /** Ends the recording. */
    public void stop() {
        stop(address);
    }

    /** Passes all drops to a consumer, in their order. */
    public void forEach(Consumer consumer) {
        long[] read = new long[AT_ONCE * FIELDS];
        int count;
        for (long from = 0; (count = read(address, from, read)) > 0; from += count) {
            for (int at = 0; at < count * FIELDS; at += FIELDS) {
                if (read[at] != 0) {
                    consumer.accept(read[at], (int) read[at + 1], read[at + 2], read[at + 3]);
                }
            }
        }
    }

    /** Returns the number of drops that are not in the record: it was full, or the kernel omitted them. */
    public long lost() {
        return lost(address);
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
    private static native int start(long address, int port, long tag, int headerBytes);

    private static native void stop(long address);

    private static native int read(long address, long from, long[] drops);

    private static native long lost(long address);

    private static native void close(long address);
}
