package org.lagbench.packetio.linux;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.PacketError;

/**
 * The native methods for sockets, in liblagbenchsocket.so. The headers in src/main/c, named below, describe parameters
 * and results. Native methods that can fail return −errno; the methods in Java turn that into exceptions. Buffers are
 * direct, and addresses ({@code long}) point into direct buffers; numbers have 64 bits in native byte order.
 */
final class NativeSocket {
    /** Returned by calls that a close has ended or prevented. Not an −errno. */
    static final int ENDED = Integer.MIN_VALUE;

    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EIO = 5;
    private static final int EAGAIN = 11;
    private static final int EINVAL = 22;
    private static final int EPIPE = 32;
    private static final int EMSGSIZE = 90;
    private static final int ENOPROTOOPT = 92;
    private static final int ECONNRESET = 104;

    /** The result if the kernel has no congestion control with the requested name. */
    static final int NO_SUCH_NAME = -ENOENT;

    /**
     * The index of the counts of failed packets in a {@code struct descriptor}, as an array of 64-bit numbers. The
     * counts of retries follow.
     */
    static final int ERRORS_AT = 2;

    /** Size of a {@code struct descriptor} in 64-bit numbers. */
    static final int DESCRIPTOR_LONGS = ERRORS_AT + 2 * PacketError.values().length;

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

    // See device.h.
    static native int bindToDevice(int fd, String device);

    // See source_filter.h.
    static native int admit(int fd, String hosts);

    // See path_mtu.h.
    static native int setFragmenting(int fd, boolean probes);

    static native int pathMtu(int fd);

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

    // See replies.h.
    static native int limitReceive(int fd, long timeoutNs);

    static native int awaitSender(long descriptor, long tag, int packetBytes, @Nullable String onlyHost);

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

    // See process_socket.h.
    static native int openOfProcess(long process, int port);

    // See occupancy.h.
    static native int readOccupancy(int fd, boolean isStream, ByteBuffer occupancy);

    static native long drops(int fd);

    // See tcp_state.h.
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

    /** Returns the result of a call, unless it failed. */
    static int check(String what, int result) throws IOException {
        if (result < 0) {
            throw new IOException("cannot " + what + ": " + reason(result));
        }
        return result;
    }

    /** Throws the exception that channels throw if the peer has ended the connection. */
    static void checkConnection(int result) throws SocketException {
        if (result == -EPIPE || result == -ECONNRESET) {
            throw new SocketException(errorText(-result));
        }
    }

    static void checkOffload(int result) throws IOException {
        if (result == -ENOPROTOOPT) {
            throw new IOException(
                    "this kernel has no UDP segmentation offload, which needs Linux 5.0; set udp.offload: off");
        }
        check("enable UDP segmentation offload", result);
    }

    static void checkCongestionControl(String name, int result) throws IOException {
        if (result == NO_SUCH_NAME) {
            throw new IOException("this kernel has no congestion control \"" + name
                    + "\"; see sysctl net.ipv4.tcp_available_congestion_control, or load its module: modprobe tcp_"
                    + name);
        }
        if (result == -EPERM) {
            throw new IOException("only root may choose the congestion control \"" + name
                    + "\"; add it to sysctl net.ipv4.tcp_allowed_congestion_control");
        }
        check("choose the congestion control " + name, result);
    }

    /** Returns the number of datagrams received, 0 after the time limit, or {@link LinuxSocket#END} once closed. */
    static int checkDatagrams(int count) throws IOException {
        if (count == ENDED) {
            return LinuxSocket.END;
        } else if (count == -EAGAIN) {
            return 0;
        }
        return check("receive", count);
    }

    /** Throws the exception for a call that sent no packet, or returns 0 if it did not fail. */
    static int failSend(int sent, int packetBytes, boolean offloads) throws IOException {
        if (sent == ENDED) {
            throw new ClosedChannelException();
        }
        if (offloads && (sent == -EINVAL || sent == -EMSGSIZE)) {
            throw new IOException("the kernel refuses segmentation offload of packets of " + packetBytes
                    + " bytes: with their IP and UDP headers they must fit the MTU of the path; choose smaller packets"
                    + " or set udp.offload: off");
        }
        if (offloads && sent == -EIO) {
            throw new IOException("the kernel refuses segmentation offload: the network interface computes no checksums"
                    + " (ethtool -K DEVICE tx on); else set udp.offload: off");
        }
        checkConnection(sent);
        return check("send", sent);
    }
}
