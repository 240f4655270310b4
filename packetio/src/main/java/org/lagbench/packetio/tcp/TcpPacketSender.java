package org.lagbench.packetio.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.packetio.linux.LinuxSocket;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.socket.IoSettings;
import org.lagbench.packetio.socket.SocketPacketSender;
import org.lagbench.packetio.socket.Sysctl;
import org.lagbench.packetio.transport.TransportRun;

/**
 * Sends over a TCP connection.
 *
 * <p>The receiver knows the sender by the first 8 bytes of the stream, which are the first packet's tag. They are
 * written when the connection is made, so that it is known at once and not only when the first packet is due.
 */
final class TcpPacketSender extends SocketPacketSender<SocketChannel> {
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    /** That a sender goes on is seen only between handovers, which a slow link must not make long. */
    private static final int MOST_BYTES_AT_ONCE = 1 << 14;

    /** The congestion control of every connection for which nobody chose another. */
    private static final String DEFAULT_CONGESTION_CONTROL = "net.ipv4.tcp_congestion_control";

    private static final String AVAILABLE_CONGESTION_CONTROL = "net.ipv4.tcp_available_congestion_control";

    private final TransportRun run;
    private @Nullable String congestionControl;

    TcpPacketSender(TransportRun run, IoSettings calls) {
        super(run, calls, calls.sharesStamps() ? calls.syscallPackets() : atOnce(run, calls));
        this.run = run;
    }

    private static int atOnce(TransportRun run, IoSettings calls) {
        return Math.max(1, Math.min(calls.batchSize(run.packetBytes()), MOST_BYTES_AT_ONCE / run.packetBytes()));
    }

    @Override
    protected SocketChannel open(ProtocolFamily family) throws IOException {
        return SocketChannel.open(family);
    }

    @Override
    protected void connect(SocketChannel socket, InetSocketAddress address) throws IOException, LagbenchException {
        String wanted = run.settings().word(TcpTransport.CONGESTION_CONTROL);
        if (!wanted.equals(SettingDefinition.AUTO)) {
            congestionControl = choose(socket, wanted);
        }
        socket.setOption(StandardSocketOptions.TCP_NODELAY, run.settings().flag(TcpTransport.NO_DELAY));
        socket.socket().connect(address, CONNECT_TIMEOUT_MS); // it is in blocking mode again then
    }

    /**
     * Chooses the congestion control, which the JDK has no option for.
     *
     * @return what the kernel says it is then
     */
    private static String choose(SocketChannel socket, String wanted) throws LagbenchException {
        try (LinuxSocket kernel = LinuxSockets.open(socket)) {
            kernel.chooseCongestionControl(wanted);
            return kernel.congestionControl();
        } catch (IOException e) {
            String offered = Sysctl.text(AVAILABLE_CONGESTION_CONTROL)
                    .map(names -> " It offers " + names.replace(" ", ", ") + " now.")
                    .orElse("");
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "tcp." + TcpTransport.CONGESTION_CONTROL + ": " + e.getMessage() + "." + offered,
                    e);
        }
    }

    @Override
    protected int sendAhead(SocketChannel socket) throws IOException {
        ByteBuffer tag =
                ByteBuffer.allocateDirect(Long.BYTES).putLong(run.tag()).flip();
        while (tag.hasRemaining()) {
            socket.write(tag);
        }
        return Long.BYTES;
    }

    @Override
    protected long stampKey(long packetsBefore) {
        return (packetsBefore + 1) * run.packetBytes() - 1;
    }

    @Override
    protected String unreachable(String address, String reason) {
        return "No TCP connection to the receiver's data port " + address + ": " + reason
                + ". Is there a firewall on the way?";
    }

    @Override
    protected String broken(String address, IOException failure) {
        return "The receiver " + address + " ended the TCP connection: " + IoErrors.reason(failure);
    }

    @Override
    protected void putMetadata(SocketChannel connectedSocket, Map<String, Object> into) throws IOException {
        into.put("noDelay", connectedSocket.getOption(StandardSocketOptions.TCP_NODELAY));
        String chosen = congestionControl;
        if (chosen != null) {
            into.put("congestionControl", chosen);
        } else {
            Sysctl.text(DEFAULT_CONGESTION_CONTROL).ifPresent(name -> into.put("congestionControl", name));
        }
    }
}
