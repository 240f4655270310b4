package org.lagbench.packetio.linux;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Framing;

/**
 * The TCP segments, or the UDP datagrams of a run, that arrived for one port of this host, that the kernel dropped on
 * their way there, or that left for a port of any host. The observer in the kernel records them, before it joins
 * segments (packet_record.h). Not thread-safe.
 */
public final class LinuxPacketRecord implements RecordedPackets, AutoCloseable {
    /** The longs of a packet, see {@link RecordedPackets.Consumer}. */
    private static final int FIELDS = 4;

    private static final int AT_ONCE = 512;

    private static final long ANY_TAG = 0;

    /** The bytes of a packet before the lower 32 bits of its sequence number. */
    private static final int SEQUENCE_OFFSET = 12;

    private final Kind kind;
    private final long address;
    private boolean closed;

    private LinuxPacketRecord(Kind kind, long address) {
        this.kind = kind;
        this.address = address;
    }

    /** What is recorded. */
    public enum Kind {
        /** What arrived; at most 64 MiB of the kernel's memory. */
        ARRIVALS(0, 1 << 22),

        /** The datagrams that were dropped; at most 6 MiB. */
        DROPS(1, 1 << 18),

        /** What left for the driver of a device, at each device that it passed; at most 64 MiB. */
        DEPARTURES(2, 1 << 22),

        /** The segments that arrived of a connection with frames that contain packets; at most 64 MiB. */
        FRAME_ARRIVALS(3, 1 << 22),

        /** Those that left, at each device that they passed; at most 64 MiB. */
        FRAME_DEPARTURES(4, 1 << 22);

        private final int code;
        private final int maxCapacity;

        Kind(int code, int maxCapacity) {
            this.code = code;
            this.maxCapacity = maxCapacity;
        }

        /** Returns the oldest Linux that has it. */
        private String since() {
            return code >= FRAME_ARRIVALS.code ? "6.12" : "6.1";
        }

        /** Returns the largest number of packets for which the kernel has memory. */
        public int maxCapacity() {
            return maxCapacity;
        }
    }

    /**
     * Loads the observer, which records nothing yet.
     *
     * @param capacity the number of packets for which to take memory, at most {@link Kind#maxCapacity}
     * @throws LagbenchException if that is impossible here; the message says why, and what to do
     */
    public static LinuxPacketRecord load(Kind kind, int capacity) throws LagbenchException {
        LinuxSockets.load();
        long opened = open(kind.code, capacity);
        check(opened, kind);
        return new LinuxPacketRecord(kind, opened);
    }

    /** Returns why an observer cannot be loaded here, and what to do; null if it can. */
    public static @Nullable LagbenchException unavailableReason(Kind kind) {
        try {
            load(kind, 1).close();
            return null;
        } catch (LagbenchException e) {
            return e;
        }
    }

    /**
     * Starts to record the segments of a connection. Where they leave, {@link #place} is known if it begins now.
     *
     * @param port the receiver's port; where they arrive, in the network namespace of this thread
     * @param hasBegun whether a stream that arrives may have begun; then {@link #place} is known from the next segment
     *     on
     * @throws LagbenchException if the kernel refuses it
     */
    public void startStream(int port, boolean hasBegun) throws LagbenchException {
        check(startStream(address, port, hasBegun), kind);
    }

    /**
     * Starts to record the datagrams whose first packet has a tag, or the connection with frames of such packets.
     *
     * @param port the receiver's port; where they arrive, in the network namespace of this thread
     * @param headerBytes the bytes of a datagram or frame before its first packet
     * @throws LagbenchException if the kernel refuses it
     */
    public void startTagged(int port, long tag, int headerBytes) throws LagbenchException {
        check(startTagged(address, port, tag, headerBytes), kind);
    }

    /**
     * Starts to record the datagrams with packets of a framing: those with a tag, or any if their packets are
     * encrypted. These have the field with their number in place of the sequence number.
     *
     * @param port the receiver's port; where they arrive, in the network namespace of this thread
     * @param packetBytes the size of each packet
     * @throws LagbenchException if the kernel refuses it
     */
    public void startDatagrams(int port, long tag, Framing framing, int packetBytes) throws LagbenchException {
        Framing.NumberField number = framing.number();
        if (number != null) {
            startMarked(port, number.offset());
        } else if (framing.hasAnyHeader()) {
            check(startLast(address, port, tag, packetBytes), kind);
        } else {
            startTagged(port, tag, framing.headerBytes());
        }
    }

    /**
     * Starts to record all datagrams for a port, with a mark in place of the sequence number.
     *
     * @param port the receiver's port; where they arrive, in the network namespace of this thread
     * @param markOffset the bytes of a datagram before its mark, which are 32 bits; at least 4
     * @throws LagbenchException if the kernel refuses it
     */
    public void startMarked(int port, int markOffset) throws LagbenchException {
        startTagged(port, ANY_TAG, markOffset - SEQUENCE_OFFSET);
    }

    private static void check(long error, Kind kind) throws LagbenchException {
        if (error < 0) {
            throw ExitCode.UNAVAILABLE.failure(LinuxSchedulerRecord.refusal((int) error, kind.since()));
        }
    }

    /** Ends the recording. */
    public void stop() {
        stop(address);
    }

    @Override
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

    /** Returns the number of packets that are not in the record: it was full, or the kernel omitted them. */
    public long lost() {
        return lost(address);
    }

    /** Returns the number of segments from another sender than the first; they are not in the record. */
    public long foreign() {
        return foreign(address);
    }

    /** Returns a place in the stream of the first sender; null if it is not known. */
    public @Nullable StreamPlace place() {
        long[] place = new long[2];
        return place(address, place) ? new StreamPlace((int) place[0], place[1]) : null;
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
    private static native long open(int kind, int capacity);

    /** Returns 0 or −errno. */
    private static native int startStream(long address, int port, boolean hasBegun);

    /** Returns 0 or −errno. */
    private static native int startTagged(long address, int port, long tag, int headerBytes);

    /** Returns 0 or −errno. */
    private static native int startLast(long address, int port, long tag, int packetBytes);

    private static native void stop(long address);

    private static native int read(long address, long from, long[] packets);

    private static native long lost(long address);

    private static native long foreign(long address);

    private static native boolean place(long address, long[] place);

    private static native void close(long address);
}
