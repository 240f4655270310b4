package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.Calls;

/**
 * By what calls the packets of a run are sent and received, and how many at most by one.
 *
 * @param calls of the operating system, or of Java's channels
 * @param syscallPackets how many packets one system call sends or receives at most
 * @param offload whether datagrams pass the kernel as one buffer
 * @param busyPollNs how long a receiver looks for a packet without sleeping, in ns; 0 if it sleeps at once
 */
public record IoSettings(Calls calls, int syscallPackets, boolean offload, long busyPollNs) {
    /**
     * A JNI call costs some 35 ns, and more until the processor's caches have Java's code again. Of a process that is
     * killed, the records of those that C had and Java has not are lost: this many at most.
     */
    private static final int JNI_CALL_PACKETS = 16;

    /** What is left of an IPv4 datagram of 65,535 bytes after its header of 20 bytes and UDP's of 8. */
    private static final int MAXIMUM_DATAGRAM_BYTES = 65_507;

    /** How many packets are made at most before they are sent, where so many are due. */
    public int batchSize(int packetBytes) {
        if (offload) {
            return Math.max(1, Math.min(syscallPackets, MAXIMUM_DATAGRAM_BYTES / packetBytes));
        }
        return sharesStamps() ? syscallPackets : calls == Calls.SYSTEM ? JNI_CALL_PACKETS : 1;
    }

    /** Whether one system call sends several packets, which have its stamps. */
    public boolean sharesStamps() {
        return syscallPackets > 1;
    }

    /**
     * Makes room for the datagrams that are received at once.
     *
     * @param lastSequence as {@link ReceiveBatch#ofDatagrams}
     */
    public ReceiveBatch datagrams(int packetBytes, boolean severalEach, long lastSequence) {
        return offload
                ? ReceiveBatch.ofJoined(packetBytes)
                : ReceiveBatch.ofDatagrams(severalEach ? JNI_CALL_PACKETS : syscallPackets, packetBytes, lastSequence);
    }

    /**
     * Opens the I/O of a connected socket.
     *
     * @throws LagbenchException if this machine lacks what is needed
     */
    public SocketIo openSender(NetworkChannel channel, int packetBytes) throws LagbenchException, IOException {
        return open(channel, sharesStamps(), socket -> {
            if (offload) {
                socket.enableSendOffload(packetBytes);
            }
        });
    }

    /**
     * Opens the I/O of a socket that receives.
     *
     * @param stamped whether the kernel stamps what it receives from now on
     * @throws LagbenchException if this machine lacks what is needed
     */
    public SocketIo openReceiver(NetworkChannel channel, boolean stamped) throws LagbenchException, IOException {
        boolean isStream = channel instanceof SocketChannel;
        return open(channel, !isStream && (sharesStamps() || offload), socket -> {
            if (stamped) {
                socket.enableReceiveStamps();
            }
            if (offload) {
                socket.enableReceiveOffload();
            }
        });
    }

    /** What a socket is prepared with. */
    @FunctionalInterface
    private interface Preparation {
        void prepare(LinuxSocket socket) throws IOException;
    }

    private SocketIo open(NetworkChannel channel, boolean batched, Preparation preparation)
            throws LagbenchException, IOException {
        if (calls == Calls.CHANNEL) {
            return new ChannelIo((ByteChannel) channel);
        }
        LinuxSocket socket = LinuxSockets.open(channel);
        try {
            preparation.prepare(socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return batched ? new BatchIo(socket, busyPollNs) : new SyscallIo(socket, busyPollNs);
    }
}
