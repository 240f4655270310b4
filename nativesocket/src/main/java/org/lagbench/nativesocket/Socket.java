package org.lagbench.nativesocket;

import java.nio.ByteBuffer;
import org.lagbench.core.transport.ip.ReceivedDatagrams;

/**
 * The native methods, in liblagbenchsocket.so. Those that can fail return a negative errno; none throws. Buffers are
 * direct; those of numbers are in native byte order and hold 64-bit numbers.
 */
final class Socket {
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

    /**
     * Waits for bytes, or a datagram, and takes no more than {@code room}, with the kernel's stamp.
     *
     * @param stamp gets the kernel's stamp in ns, 0 where there is none
     * @return how many bytes, 0 at the end of a stream, or −errno
     */
    static native int receive(int descriptor, ByteBuffer buffer, int position, int room, ByteBuffer stamp);

    /**
     * Waits for bytes, or a datagram, and takes no more than {@code room}, without a stamp.
     *
     * @param bytes the address at which they are put
     * @return how many bytes, 0 at the end of a stream, or −errno
     */
    static native int receiveStream(int descriptor, long bytes, int room);

    /** Makes all calls that receive return at once, now and later. Returns 0 or −errno. */
    static native int endReceive(int descriptor);

    /** The address in memory of a direct buffer's beginning. */
    static native long address(ByteBuffer buffer);

    /**
     * Sends bytes over a connection.
     *
     * @param bytes the first one's address
     * @return how many the kernel took, which may be fewer, or −errno
     */
    static native int sendStream(int descriptor, long bytes, int count);

    /**
     * Sends datagrams of one size, which lie one behind the other, over a connected socket.
     *
     * @param packets the first one's address
     * @param count from 1 to {@link ReceivedDatagrams#MOST}
     * @return how many the kernel took, or −errno if it did not take the first
     */
    static native int sendDatagrams(int descriptor, long packets, int packetBytes, int count);

    /**
     * Takes datagrams that are there, and waits for one if there is none and {@code wait}.
     *
     * @param packets the address at which the first is put
     * @param stride how far the next ones are behind it, and the most that is taken of each, in bytes
     * @param count how many are taken at the most, from 1 to {@link ReceivedDatagrams#MOST}
     * @param stamped whether the kernel's stamps were enabled
     * @param told the address that gets, of each, how many bytes it has and the kernel's stamp in ns, 0 if there is none
     * @return how many, 0 if there is none, or −errno
     */
    static native int receiveDatagrams(
            int descriptor, long packets, int stride, int count, boolean stamped, boolean wait, long told);

    /** Makes all calls that send end with −EPIPE, now and later. Returns 0 or −errno. */
    static native int endSend(int descriptor);

    /** Puts how full the buffers are. Returns 0 or −errno. */
    static native int readOccupancy(int descriptor, boolean isStream, ByteBuffer occupancy);

    /** Puts the name of the congestion control, ended by 0. Returns 0 or −errno. */
    static native int congestionControl(int descriptor, ByteBuffer name);

    /** Chooses the congestion control of that name, ended by 0. Returns 0 or −errno. */
    static native int chooseCongestionControl(int descriptor, ByteBuffer name);

    /** The system's text for an error number. */
    static native String errorText(int errno);
}
