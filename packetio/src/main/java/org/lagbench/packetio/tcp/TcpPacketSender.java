package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.PacketFramer;
import org.lagbench.packetio.socket.SocketPacketSender;
import org.lagbench.packetio.socket.SocketStreamFramer;
import org.lagbench.packetio.socket.Sysctl;
import org.lagbench.packetio.socket.TcpStates;
import org.lagbench.packetio.transport.Arrival;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Sends over a TCP connection.
 *
 * <p>The receiver identifies the sender by the first 8 bytes of the stream, the first packet's tag. They are sent at
 * once when the connection is established. If the receiver connects, it sends the tag as well.
 */
class TcpPacketSender extends SocketPacketSender<SocketChannel> {
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    /** Limits the time of a call on a slow link: progress is visible only between calls. */
    private static final int MAXIMUM_BATCH_BYTES = 1 << 14;

    private static final String DEFAULT_CONGESTION_CONTROL = "net.ipv4.tcp_congestion_control";

    private static final String AVAILABLE_CONGESTION_CONTROL = "net.ipv4.tcp_available_congestion_control";

    final TcpStates states = new TcpStates();
    private @Nullable String congestionControl;

    private final @Nullable ReceiverAcceptor acceptor;

    TcpPacketSender(SideConfig run, IoSettings ioSettings, @Nullable ReceiverAcceptor acceptor) {
        super(run, ioSettings, batchSize(run, ioSettings));
        this.acceptor = acceptor;
    }

    /** Opens a sender, and its port if the receiver connects. */
    static TcpPacketSender open(SideConfig run, IoSettings ioSettings) throws LagbenchException {
        return new TcpPacketSender(run, ioSettings, run.listensAt() == null ? null : ReceiverAcceptor.listen(run));
    }

    @Override
    public Map<String, String> announce() {
        return acceptor == null ? Map.of() : acceptor.announce();
    }

    private static int batchSize(SideConfig run, IoSettings ioSettings) {
        int maximum = ioSettings.batchSize(run.packetBytes());
        return ioSettings.sharesStamps()
                ? maximum
                : Math.max(1, Math.min(maximum, MAXIMUM_BATCH_BYTES / run.packetBytes()));
    }

    @Override
    protected SocketChannel open(ProtocolFamily family) throws IOException {
        return acceptor == null ? SocketChannel.open(family) : acceptor.accept();
    }

    @Override
    protected void connect(SocketChannel socket, InetSocketAddress address) throws IOException, LagbenchException {
        congestionControl = setCongestionControl(socket, run.settings());
        socket.setOption(StandardSocketOptions.TCP_NODELAY, run.settings().flag(TcpTransport.NO_DELAY));
        if (acceptor == null) {
            establish(socket, address);
        }
        states.open(socket);
    }

    protected void establish(SocketChannel socket, InetSocketAddress address) throws IOException {
        socket.socket().connect(address, CONNECT_TIMEOUT_MS); // afterwards it is in blocking mode again
    }

    /**
     * Sets the congestion control, for which the JDK has no option, and returns the kernel's name of it; null if none
     * is requested.
     */
    static @Nullable String setCongestionControl(SocketChannel socket, Settings settings) throws LagbenchException {
        String requested = settings.asText().getOrDefault(TcpTransport.CONGESTION_CONTROL, Parameter.AUTO);
        if (requested.equals(Parameter.AUTO)) {
            return null;
        }
        try (LinuxSocket linuxSocket = LinuxSockets.open(socket)) {
            linuxSocket.setCongestionControl(requested);
            return linuxSocket.congestionControl();
        } catch (IOException e) {
            String available = Sysctl.text(AVAILABLE_CONGESTION_CONTROL)
                    .map(names -> " It offers " + names.replace(" ", ", ") + " now.")
                    .orElse("");
            throw ExitCode.USAGE.failure(
                    "tcp." + TcpTransport.CONGESTION_CONTROL + ": " + IoErrors.reason(e) + "." + available, e);
        }
    }

    @Override
    protected PacketFramer replyFramer() {
        return new SocketStreamFramer(run, "receiver", Arrival.ofReplies(run.packetBytes()));
    }

    /** Sends the run's tag, which is the beginning of the first packet unless packets have no header. */
    @Override
    protected int sendPrefix(SocketChannel socket) throws IOException {
        if (!run.hasHeader() && acceptor != null) {
            return 0; // a receiver that has connected expects packets only
        }
        ByteBuffer tag = ByteBuffer.allocate(Long.BYTES).putLong(run.tag()).flip();
        while (tag.hasRemaining()) {
            socket.write(tag);
        }
        return run.hasHeader() ? Long.BYTES : 0;
    }

    @Override
    protected long stampKey(long packetsBefore) {
        return (packetsBefore + 1) * run.packetBytes() - 1;
    }

    @Override
    public @Nullable Retransmissions retransmissions() {
        return states.retransmissions();
    }

    @Override
    protected void closeOther() {
        states.close();
        if (acceptor != null) {
            acceptor.close();
        }
    }

    @Override
    protected String connectFailure(String address, String reason) {
        return "Cannot connect to the receiver's TCP data port " + address + ": " + reason
                + ". Does a firewall block it?";
    }

    @Override
    protected String sendFailure(String address, IOException failure) {
        return "The receiver " + address + " ended the TCP connection: " + IoErrors.reason(failure);
    }

    @Override
    protected void putMetadata(SocketChannel connectedSocket, Map<String, Object> into) throws IOException {
        into.put("noDelay", connectedSocket.getOption(StandardSocketOptions.TCP_NODELAY));
        Optional.ofNullable(congestionControl)
                .or(() -> Sysctl.text(DEFAULT_CONGESTION_CONTROL))
                .ifPresent(name -> into.put("congestionControl", name));
    }
}
