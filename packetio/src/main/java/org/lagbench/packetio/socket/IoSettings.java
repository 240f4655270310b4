package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.NetworkChannel;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.Calls;

/**
 * By what calls the packets of a run are sent and received, and how many at most by one.
 *
 * @param calls of the operating system, or of Java's channels
 * @param syscallPackets how many packets one system call sends or receives at most
 * @param busyPollNs how long a receiver looks for a packet without sleeping, in ns; 0 if it sleeps at once
 */
public record IoSettings(Calls calls, int syscallPackets, long busyPollNs) {
    /**
     * A JNI call costs some 35 ns, and more until the processor's caches have Java's code again. Of a process that is
     * killed, the records of those that C had and Java has not are lost: this many at most.
     */
    private static final int JNI_CALL_PACKETS = 16;

    /** How many packets are made at most before they are sent, where so many are due. */
    public int batchSize() {
        return sharesStamps() ? syscallPackets : calls == Calls.SYSTEM ? JNI_CALL_PACKETS : 1;
    }

    /** Whether one system call moves several packets, which have its stamps. */
    public boolean sharesStamps() {
        return syscallPackets > 1;
    }

    /**
     * Opens the I/O of a socket that is connected or bound.
     *
     * @param stamped whether the kernel stamps what it receives from now on
     * @throws LagbenchException if this machine lacks what is needed
     */
    public SocketIo open(NetworkChannel channel, boolean stamped) throws LagbenchException, IOException {
        if (calls == Calls.CHANNEL) {
            return new ChannelIo((ByteChannel) channel);
        }
        LinuxSocket socket = LinuxSockets.open(channel);
        try {
            if (stamped) {
                socket.enableReceiveStamps();
            }
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return sharesStamps() ? new BatchIo(socket, busyPollNs) : new SyscallIo(socket, busyPollNs);
    }
}
