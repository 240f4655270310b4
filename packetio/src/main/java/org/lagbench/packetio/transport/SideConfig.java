package org.lagbench.packetio.transport;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.text.Endpoint;

/**
 * What one side of a run needs to move the run's packets.
 *
 * @param point the specification of the run, with the same values on both sides
 * @param transport the transport to send or receive over
 * @param settings of the transport and the engine, defaults included
 * @param tag the run's random tag, carried by every packet
 * @param leadOutPackets maximum number of lead-out packets, which are sent after the recorded ones
 * @param socketApi how packets are sent and received over sockets
 * @param host on the receiver the address to listen on, on the sender the receiver's address; numeric
 * @param listensAt on the sender the address at which it waits for the receiver to connect, or for its first packet;
 *     null if the receiver listens
 * @param local this host's end of the packets; the address matters only if this side connects
 * @param captureFile the capture, which the caller creates and closes; this side's other files are in its directory
 * @param replies receives the records of the replies to a sender, in {@link ReceiverCapture#REPLIES_FILE_NAME} next to
 *     the capture; null unless this is the sender of round trips
 * @param receivedBytes receives the bytes of each receive call, next to the capture, which the caller creates and
 *     closes; null unless this is the receiver of transfers
 * @param announced on the receiver what the sender's {@link EngineSide#announce} returned; empty on the sender
 * @param replyTo on the receiver the only host whose datagrams are answered, the sender's: the source of other
 *     datagrams could be forged, so that a third host would get the replies; null on the sender, and if packets use
 *     another network than the control connection
 * @param admitted the hosts from which packets reach the parser of a library: on the receiver that of the control
 *     connection and the one that the sender announced, on the sender the receiver's
 */
public record SideConfig(
        Point point,
        Transport transport,
        Settings settings,
        long tag,
        long leadOutPackets,
        SocketApi socketApi,
        String host,
        @Nullable String listensAt,
        LocalEnd local,
        Path captureFile,
        @Nullable ReceiverCapture replies,
        @Nullable ReceiverCapture receivedBytes,
        Map<String, String> announced,
        @Nullable InetAddress replyTo,
        Set<InetAddress> admitted) {
    /** Returns this configuration with another socket API. */
    public SideConfig with(SocketApi api) {
        return new SideConfig(
                point,
                transport,
                settings,
                tag,
                leadOutPackets,
                api,
                host,
                listensAt,
                local,
                captureFile,
                replies,
                receivedBytes,
                announced,
                replyTo,
                admitted);
    }

    /** Returns the numbers of packets. */
    public Phases phases() {
        return new Phases(point.warmUpPackets(), point.stampedPackets(), leadOutPackets);
    }

    /** Returns whether a connection is one of an admitted host. */
    public boolean admits(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress host && admitted.contains(host.getAddress());
    }

    /** Returns the numeric addresses of the admitted hosts, with commas between them. */
    public String admittedHosts() {
        return admitted.stream().map(Endpoint::format).collect(Collectors.joining(","));
    }

    /** Returns a new accounting of the packets that this side receives, which records them in a capture. */
    public PacketAccounting accounting(ReceiverCapture capture) {
        return new PacketAccounting(tag, phases(), capture);
    }

    /** Returns the size of each packet in bytes, header included. */
    public int packetBytes() {
        return point.packetBytes();
    }

    /** Returns whether packets carry a header. */
    public boolean hasHeader() {
        return PacketLayout.hasHeader(packetBytes());
    }

    /** Adds the tag with which the first packet of a connection begins, if it has been read before the packet. */
    public void putTag(ByteBuffer buffer) {
        if (hasHeader()) {
            buffer.putLong(tag);
        }
    }

    /** Returns the traffic of the run. */
    public TrafficSpec traffic() {
        return point.traffic();
    }

    /** Returns whether the receiver answers each packet. */
    public boolean isAnswered() {
        return point.traffic().isAnswered();
    }

    /**
     * Returns whether the receiver of packets connects to this sender, because it has requested the run: one behind a
     * NAT can. Not with transfers, each of which may have a new connection.
     */
    public boolean receiverConnects() {
        return listensAt != null && !hasTransfers();
    }

    /** Returns whether the run consists of transfers. */
    public boolean hasTransfers() {
        return point.traffic().kind() == Traffic.TRANSFER;
    }

    /** Returns the transfers of the run, which must have some. */
    public TransferSpec transfers() {
        return Objects.requireNonNull(traffic().transfer(), "transfers");
    }

    /** Returns the number of packets in each transfer. */
    public long pieces() {
        return transfers().pieces(packetBytes());
    }

    /** Returns whether all packets are sent without a pause, and none is answered. */
    public boolean isFlood() {
        return point.pace().mode() == Pace.Mode.FLOOD && !isAnswered();
    }

    /** Returns whether the socket's stamps and fill levels are recorded, in files next to the capture. */
    public boolean recordsTimestamps() {
        return point.observes(ObservedSource.TIMESTAMPING);
    }

    /** Returns whether the kernel stamps the received packets, if the engine can record that. */
    public boolean stampsArrivals() {
        return point.stampsArrivals();
    }

    /** The interface through which an engine of this process uses sockets. */
    public enum SocketApi {
        /** System calls, made through JNI. */
        SYSTEM_CALLS,
        /** The channels of {@code java.nio}. */
        CHANNELS
    }
}
