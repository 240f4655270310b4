package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.nio.channels.NetworkChannel;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.ReceiveBatch;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;
import org.lagbench.packetio.transport.SocketIo;

/**
 * How the packets of a run are sent and received over sockets.
 *
 * @param socketApi the API of the calls
 * @param syscallPackets maximum number of packets that one system call sends or receives
 * @param offload whether UDP segmentation offload is enabled: the kernel handles several datagrams as one buffer
 * @param busyPollNs how long a receiver polls for a packet before it sleeps, in ns; 0 to sleep at once
 * @param writes system calls that send a packet of a stream, 1 or more
 * @param refusesFragments whether a datagram that does not fit the path's MTU is not sent
 */
public record IoSettings(
        SocketApi socketApi,
        int syscallPackets,
        boolean offload,
        long busyPollNs,
        int writes,
        boolean refusesFragments) {
    /** The name of the transport setting for {@code syscallPackets}. */
    public static final String BATCH = "batch";

    /**
     * Packets per JNI call, which amortize its cost. A killed process loses the records of at most this many packets.
     */
    private static final int JNI_CALL_PACKETS = 16;

    /** The payload of an IPv4 datagram of 65,535 bytes: without its header of 20 bytes and UDP's of 8. */
    public static final int MAXIMUM_DATAGRAM_BYTES = 65_507;

    /** Returns the settings of a run whose transport has the setting {@link #BATCH}. */
    public static IoSettings of(
            SideConfig run, boolean offload, long busyPollNs, long writes, boolean refusesFragments) {
        int packets = Math.toIntExact(run.settings().number(BATCH));
        return new IoSettings(run.socketApi(), packets, offload, busyPollNs, Math.toIntExact(writes), refusesFragments);
    }

    /** Returns the definition of {@link #BATCH}. */
    public static Parameter<?> batchSetting(String meaning) {
        return Parameter.number(BATCH, 1, ReceiveBatch.MAXIMUM_DATAGRAMS)
                .byDefault(1L)
                .described(meaning);
    }

    /** Returns the maximum number of packets in a {@link SendBatch}, if at least that many are due. */
    public int batchSize(int packetBytes) {
        if (offload) {
            return Math.max(1, Math.min(syscallPackets, MAXIMUM_DATAGRAM_BYTES / packetBytes));
        }
        return sharesStamps() ? syscallPackets : socketApi == SocketApi.SYSTEM_CALLS ? JNI_CALL_PACKETS : 1;
    }

    /** Returns whether one system call sends several packets, which share its stamps. */
    public boolean sharesStamps() {
        return syscallPackets > 1;
    }

    /**
     * Creates the batch for received datagrams.
     *
     * @param severalSyscalls whether one JNI call makes several system calls
     * @param lastSequence see {@link ReceiveBatch#ofDatagrams}
     */
    public ReceiveBatch datagrams(int packetBytes, boolean severalSyscalls, long lastSequence) {
        return offload
                ? ReceiveBatch.ofJoined(packetBytes)
                : ReceiveBatch.ofDatagrams(
                        severalSyscalls ? JNI_CALL_PACKETS : syscallPackets, packetBytes, lastSequence);
    }

    /**
     * Opens the I/O of a connected socket.
     *
     * @throws LagbenchException if this machine does not meet a requirement
     */
    public SocketIo openSender(NetworkChannel channel, int packetBytes) throws LagbenchException, IOException {
        return open(channel, writes, sharesStamps(), socket -> {
            if (offload) {
                socket.enableSendOffload(packetBytes);
            }
            if (refusesFragments) {
                socket.refuseFragments();
            }
        });
    }

    /**
     * Opens the I/O of a receiving socket.
     *
     * @param stamped whether the kernel stamps all data received from now on
     * @throws LagbenchException if this machine does not meet a requirement
     */
    public SocketIo openReceiver(NetworkChannel channel, boolean stamped) throws LagbenchException, IOException {
        return open(channel, 1, sharesStamps() || offload, socket -> {
            if (stamped) {
                socket.enableReceiveStamps();
            }
            if (offload) {
                socket.enableReceiveOffload();
            }
        });
    }

    @FunctionalInterface
    private interface Preparation {
        void prepare(LinuxSocket socket) throws IOException;
    }

    private SocketIo open(NetworkChannel channel, int calls, boolean sharesCalls, Preparation preparation)
            throws LagbenchException, IOException {
        if (socketApi == SocketApi.CHANNELS) {
            return new ChannelIo((ByteChannel) channel, writes);
        }
        LinuxSocket socket = LinuxSockets.open(channel);
        try {
            socket.configure(calls, sharesCalls, busyPollNs);
            preparation.prepare(socket);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
