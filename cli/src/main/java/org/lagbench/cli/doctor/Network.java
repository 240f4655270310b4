package org.lagbench.cli.doctor;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lagbench.runner.machine.Machine;

/** Checks TCP and UDP over loopback, and the limits of socket buffers. */
final class Network {
    /**
     * The least limit without a warning: enough for a burst of about ten thousand small datagrams; the common default
     * is 208 KiB.
     */
    private static final long ENOUGH_BUFFER_BYTES = 4L << 20;

    private static final int TIMEOUT_MS = 2_000;
    private static final String LOOPBACK_ADVICE =
            "Check that the interface lo is up (ip link set lo up) and no firewall blocks it.";

    private Network() {}

    static Finding tcp() {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket()) {
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()), TIMEOUT_MS);
            return Finding.ok("TCP", "connects over loopback");
        } catch (IOException e) {
            return Finding.missing("TCP", "does not connect over loopback: " + e.getMessage(), LOOPBACK_ADVICE);
        }
    }

    static Finding udp() {
        try (DatagramSocket receiver = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                DatagramSocket sender =
                        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            receiver.setSoTimeout(TIMEOUT_MS);
            sender.send(new DatagramPacket(new byte[1], 1, receiver.getLocalSocketAddress()));
            receiver.receive(new DatagramPacket(new byte[1], 1));
            return Finding.ok("UDP", "works over loopback");
        } catch (IOException e) {
            return Finding.missing("UDP", "does not work over loopback: " + e.getMessage(), LOOPBACK_ADVICE);
        }
    }

    static Finding buffer(String subject, String sysctl) {
        String value = Machine.sysctl(sysctl);
        return buffer(subject, sysctl, value == null ? null : Long.valueOf(value));
    }

    /** @param bytes the limit of the buffer; null if it is unknown */
    static Finding buffer(String subject, String sysctl, @Nullable Long bytes) {
        if (bytes == null) {
            return Finding.warn(
                    subject, "unknown: this kernel does not show " + sysctl, "Check it on the host of this container.");
        }
        String found = String.format(Locale.ROOT, "%s = %d bytes", sysctl, bytes);
        return bytes >= ENOUGH_BUFFER_BYTES
                ? Finding.ok(subject, found)
                : Finding.warn(
                        subject,
                        found + ": a UDP flood loses packets, because larger buffers are not granted",
                        "sudo sysctl -w " + sysctl + "=" + ENOUGH_BUFFER_BYTES);
    }
}
