package org.lagbench.packetio.linux;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;

/** Turns the results of {@link NativeSocket}'s calls, negative error numbers, into exceptions. */
final class SocketErrors {
    private static final int EPERM = 1;
    private static final int ENOENT = 2;
    private static final int EIO = 5;
    private static final int EAGAIN = 11;
    private static final int EINVAL = 22;
    private static final int EPIPE = 32;
    private static final int EMSGSIZE = 90;
    private static final int ENOPROTOOPT = 92;
    private static final int ECONNRESET = 104;
    private static final int ECONNREFUSED = 111;

    /** The result if the kernel has no congestion control with the requested name. */
    static final int NO_SUCH_NAME = -ENOENT;

    private SocketErrors() {}

    /** Returns the result of a call, unless it failed. */
    static int check(String what, int result) throws IOException {
        if (result < 0) {
            throw new IOException("cannot " + what + ": " + NativeSocket.reason(result));
        }
        return result;
    }

    /** Throws the exception that channels throw if the peer has ended the connection. */
    static void checkConnection(int result) throws SocketException {
        if (result == -EPIPE || result == -ECONNRESET) {
            throw new SocketException(NativeSocket.errorText(-result));
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
        if (count == NativeSocket.ENDED) {
            return LinuxSocket.END;
        } else if (count == -EAGAIN) {
            return 0;
        } else if (count == -ECONNREFUSED) {
            throw new PortUnreachableException();
        }
        return check("receive", count);
    }

    /** Throws the exception for a call that sent no packet, or returns 0 if it did not fail. */
    static int failSend(int sent, int packetBytes, boolean offloads) throws IOException {
        if (sent == NativeSocket.ENDED) {
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
        if (sent == -ECONNREFUSED) {
            throw new PortUnreachableException();
        }
        checkConnection(sent);
        return check("send", sent);
    }
}
