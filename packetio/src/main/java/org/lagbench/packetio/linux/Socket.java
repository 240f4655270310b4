package org.lagbench.packetio.linux;

import java.nio.ByteBuffer;

/**
 * The native methods, in liblagbenchsocket.so. Those that can fail return a negative errno; none throws. Buffers are
 * direct; those of numbers are in native byte order and hold 64-bit numbers.
 */
final class Socket {
    /** Returned by calls that a close has ended or not let begin. No −errno. */
    static final int ENDED = Integer.MIN_VALUE;

    /** Room for a made descriptor. */
    static final int DESCRIPTOR_LONGS = 2;

    private Socket() {}

    /** Another descriptor of the same socket, to be closed with {@link #close}. */
    static native int duplicate(int descriptor);

    /** Closes a descriptor. Returns 0 or −errno. */
    static native int close(int descriptor);

    /** Has all that the connected socket sends stamped. Returns 0 or −errno. */
    static native int enableTransmitStamps(int descriptor, boolean isStream);

    /**
     * Takes the transmit stamps that are there.
     *
     * @param stamps gets stage, key and time in ns of each
     * @param room for how many stamps the buffer is; at least 2
     * @return how many, or −errno
     */
    static native int takeTransmitStamps(int descriptor, ByteBuffer stamps, int room);

    /** Has all that the socket receives stamped. Returns 0 or −errno. */
    static native int enableReceiveStamps(int descriptor);

    /** The address in memory of a direct buffer's beginning. */
    static native long address(ByteBuffer buffer);

    /**
     * Makes a descriptor that may be closed while a call goes on.
     *
     * @param at where, for as long as it is used: the address of {@link #DESCRIPTOR_LONGS} numbers
     */
    static native void makeDescriptor(long at, int descriptor);

    /** Closes a made descriptor, once, and ends the call that goes on by it. Returns 0 or −errno. */
    static native int closeDescriptor(long descriptor);

    /**
     * Enables UDP segmentation offload of what the socket sends: {@link #sendJoined} then sends datagrams of so many
     * bytes. Returns 0 or −errno.
     */
    static native int enableSendOffload(int descriptor, int datagramBytes);

    /** Allows the kernel to join received datagrams. Returns 0 or −errno. */
    static native int enableReceiveOffload(int descriptor);

    /**
     * Sends packets of one size, which lie one behind the other, with their sent stamps, each by its own system call.
     *
     * @param descriptor a made one
     * @param packets the first one's address
     * @param count 1 or more
     * @param bytesAhead how many bytes of the first one's beginning were sent ahead
     * @param stamps the address that gets CLOCK_REALTIME in ns just before and just after each system call
     * @return how many the kernel took, −errno if it did not take the first, or {@link #ENDED}
     */
    static native int sendEach(long descriptor, long packets, int packetBytes, int count, int bytesAhead, long stamps);

    /** The same by one system call: over TCP, or over UDP with offload. */
    static native int sendJoined(
            long descriptor, long packets, int packetBytes, int count, int bytesAhead, long stamps);

    /** The same by one system call, a datagram each, at most 64. */
    static native int sendDatagrams(long descriptor, long packets, int packetBytes, int count, long stamps);

    /**
     * Waits for bytes, or a datagram, and takes no more than {@code room}.
     *
     * @param descriptor a made one
     * @param bytes the address at which they are put
     * @param stamped whether the kernel's stamps were enabled
     * @param stamps the address that gets CLOCK_REALTIME in ns just after the call, and the kernel's stamp in ns, 0 if
     *     there is none
     * @return how many bytes, 0 at the end of a stream, −errno or {@link #ENDED}
     */
    static native int receiveBytes(long descriptor, long bytes, int room, boolean stamped, long stamps);

    /**
     * Waits for a datagram, and takes by the same system call those that are there.
     *
     * @param descriptor a made one
     * @param packets the address at which the first is put
     * @param stride how far the next ones are behind it, and the most that is taken of each, in bytes
     * @param count the most datagrams, from 1 to 64
     * @param joined whether the kernel joins datagrams: there is room for 65,536 bytes
     * @param stamped whether the kernel's stamps were enabled
     * @param busyPollNs how long it waits without sleeping before it sleeps
     * @param told the address of what {@code ReceiveBatch.metadata} says
     * @return how many, −errno or {@link #ENDED}
     */
    static native int receiveDatagrams(
            long descriptor,
            long packets,
            int stride,
            int count,
            boolean joined,
            boolean stamped,
            long busyPollNs,
            long told);

    /**
     * Takes datagrams each by its own system call, which waits for it, as long as one closely follows another. What it
     * takes and returns is as of {@link #receiveDatagrams}.
     */
    static native int receiveDatagramsEach(
            long descriptor, long packets, int stride, int count, boolean stamped, long busyPollNs, long told);

    /** Puts how full the buffers are. Returns 0 or −errno. */
    static native int readOccupancy(int descriptor, boolean isStream, ByteBuffer occupancy);

    /** How many datagrams the kernel dropped at the socket, modulo 2³², or −errno. */
    static native long drops(int descriptor);

    /** Puts the name of the congestion control, ended by 0. Returns 0 or −errno. */
    static native int congestionControl(int descriptor, ByteBuffer name);

    /** Chooses the congestion control of that name, ended by 0. Returns 0 or −errno. */
    static native int chooseCongestionControl(int descriptor, ByteBuffer name);

    /** Returns why a native method failed: the system's text and the error number. */
    static String reason(int result) {
        return errorText(-result) + " (errno " + -result + ")";
    }

    /** The system's text for an error number. */
    static native String errorText(int errno);
}
