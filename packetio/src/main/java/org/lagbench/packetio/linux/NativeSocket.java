package org.lagbench.packetio.linux;

import java.nio.ByteBuffer;

/**
 * The native methods for sockets, in liblagbenchsocket.so. The headers in src/main/c, named below, describe parameters
 * and results. Methods that can fail return −errno; none throws. Buffers are direct, and addresses ({@code long}) point
 * into direct buffers; numbers have 64 bits in native byte order.
 */
final class NativeSocket {
    /** Returned by calls that a close has ended or prevented. Not an −errno. */
    static final int ENDED = Integer.MIN_VALUE;

    /** Size of a {@code struct descriptor} in 64-bit numbers. */
    static final int DESCRIPTOR_LONGS = 2;

    private NativeSocket() {}

    /** Returns another file descriptor of the same socket, to be closed with {@link #close}, or −errno. */
    static native int duplicate(int fd);

    /** Closes a file descriptor. Returns 0 or −errno. */
    static native int close(int fd);

    // See transmit_stamps.h and receive_stamps.h.
    static native int enableTransmitStamps(int fd, boolean isStream);

    static native int takeTransmitStamps(int fd, ByteBuffer stamps, int capacity);

    static native int enableReceiveStamps(int fd);

    // See offload.h.
    static native int enableSendOffload(int fd, int datagramBytes);

    static native int enableReceiveOffload(int fd);

    /** Returns the address of a direct buffer's index 0. */
    static native long address(ByteBuffer buffer);

    /** Initializes a {@code struct descriptor} (descriptor.h) at an address, which must remain valid until closed. */
    static native void makeDescriptor(long descriptor, int fd);

    /** Closes a descriptor, once, and ends the call in progress on it. Returns 0 or −errno. */
    static native int closeDescriptor(long descriptor);

    // See batch.h.
    static native int sendEach(
            long descriptor, long packets, int packetBytes, int count, int prefixBytesSent, int writes, long stamps);

    static native int sendJoined(
            long descriptor, long packets, int packetBytes, int count, int prefixBytesSent, long stamps);

    static native int sendDatagrams(long descriptor, long packets, int packetBytes, int count, long stamps);

    // See stream.h.
    static native int receiveBytes(long descriptor, long bytes, int capacity, boolean stamped, long stamps);

    // See answers.h.
    static native int limitReceive(int fd, long timeoutNs);

    static native int awaitSender(long descriptor, long tag, int packetBytes);

    // See datagrams.h; metadata is the address of ReceiveBatch.metadata.
    static native int receiveDatagrams(
            long descriptor,
            long packets,
            int stride,
            int count,
            boolean joined,
            boolean stamped,
            long busyPollNs,
            long metadata);

    static native int receiveDatagramsEach(
            long descriptor, long packets, int stride, int count, boolean stamped, long busyPollNs, long metadata);

    // See occupancy.h.
    static native int readOccupancy(int fd, boolean isStream, ByteBuffer occupancy);

    static native long drops(int fd);

    // See retransmissions.h.
    static native int readRetransmissions(int fd, ByteBuffer retransmissions);

    // See tcp_state.h.
    static native int readTcpState(int fd, long state);

    // See congestion.h; names end in a 0 byte.
    static native int congestionControl(int fd, ByteBuffer name);

    static native int setCongestionControl(int fd, ByteBuffer name);

    /** Returns why a native method failed: the system's text and the error number. */
    static String reason(int result) {
        return errorText(-result) + " (errno " + -result + ")";
    }

    /** Returns the system's text for an error number. */
    static native String errorText(int errno);
}
