package org.lagbench.cli.doctor;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import org.lagbench.cli.machine.Machine;

/** TCP and UDP over loopback, and how much the kernel lets a socket buffer. */
final class Network {
    /** Room for a burst of some ten thousand small datagrams; the common default of 208 KiB loses half of a flood. */
    private static final long ENOUGH_BUFFER_BYTES = 4L << 20;

    private static final int TIMEOUT_MS = 2_000;

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
            return Finding.ok("UDP", "gets through over loopback");
        } catch (IOException e) {
            return Finding.missing("UDP", "does not get through over loopback: " + e.getMessage(), LOOPBACK_ADVICE);
        }
    }

    private static final String LOOPBACK_ADVICE =
            "Is the interface lo up (ip link set lo up), and does a firewall let it be?";

    static List<Finding> buffers() {
        return List.of(
                buffer("Receive buffer limit", "net.core.rmem_max"), buffer("Send buffer limit", "net.core.wmem_max"));
    }

    private static Finding buffer(String subject, String sysctl) {
        String value = Machine.sysctl(sysctl);
        if (value == null) {
            return Finding.warn(subject, "unknown: this kernel does not tell " + sysctl + " here", "Ask its host.");
        }
        String found = String.format(Locale.ROOT, "%s = %s bytes", sysctl, value);
        return Long.parseLong(value) >= ENOUGH_BUFFER_BYTES
                ? Finding.ok(subject, found)
                : Finding.warn(
                        subject,
                        found + ": larger buffers are not granted, a UDP flood loses packets",
                        "sudo sysctl -w " + sysctl + "=" + ENOUGH_BUFFER_BYTES);
    }
}
