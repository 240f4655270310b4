package org.lagbench.engines.netty;

import io.netty.handler.codec.quic.Quic;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.IsolatedEngine;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The engine {@code quic}: a stream of QUIC (RFC 9000) over UDP, or its datagrams (RFC 9221), with TLS 1.3 and a
 * certificate made for the run.
 */
public final class QuicEngine extends IsolatedEngine {
    /** The name of the setting for what carries packets. */
    static final String DELIVERY = "delivery";

    /** The name of the setting for the congestion control. */
    static final String CONGESTION_CONTROL = "congestion-control";

    private static final String DATAGRAM = "datagram";

    /** The bytes of a datagram in a QUIC packet that fills an Ethernet frame over IPv4. */
    static final int MAXIMUM_DATAGRAM_BYTES = 1_428;

    /** Creates the engine, for the service loader. */
    public QuicEngine() {
        super(
                "quic",
                10,
                Set.of(SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName()),
                NettyEngine.NAME);
    }

    @Override
    public List<Parameter<?>> settings() {
        return List.of(
                Parameter.choice(DELIVERY, List.of("stream", DATAGRAM))
                        .byDefault("stream")
                        .described(
                                "What carries the packets: a stream, which retransmits lost parts and keeps the order,"
                                        + " or datagrams. QUIC drops the datagrams that its congestion control holds"
                                        + " back."),
                Parameter.choice(CONGESTION_CONTROL, List.of("cubic", "reno", "bbr"))
                        .byDefault("cubic")
                        .described("The congestion control of QUIC, which also slows down datagrams."));
    }

    /** Returns whether packets are datagrams of QUIC. */
    static boolean sendsDatagrams(Settings settings) {
        return settings.word(DELIVERY).equals(DATAGRAM);
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return Set.of(Wire.UDP);
    }

    @Override
    public boolean readsDatagrams() {
        return true;
    }

    @Override
    public boolean opensConnection(Transport transport) {
        return true;
    }

    /** A client pads the datagrams of its handshake (RFC 9000, section 14.1). */
    @Override
    public long openingBytes() {
        return 1_200;
    }

    /** Returns the largest size that a QUIC packet with the datagram can have; QUIC divides a stream itself. */
    @Override
    public long datagramBytes(int packetBytes, Settings settings) {
        return sendsDatagrams(settings) ? packetBytes + QuicSocket.UDP_PAYLOAD_BYTES - MAXIMUM_DATAGRAM_BYTES : 0;
    }

    @Override
    public boolean bindsSenders() {
        return true;
    }

    @Override
    protected void checkMachine(Settings settings) throws LagbenchException {
        @Nullable Throwable cause = Quic.isAvailable() ? null : Quic.unavailabilityCause();
        if (cause != null) {
            throw ExitCode.UNAVAILABLE.failure(
                    "engine: quic is not available here: its native library does not load ("
                            + IoErrors.reason(IoErrors.rootOf(cause))
                            + "). It needs Linux on x86-64; else use another engine.",
                    cause);
        }
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) throws LagbenchException {
        checkPackets(run.traffic().kind(), run.packetBytes(), run.settings());
        return new QuicSender(run, introduces);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        checkPackets(run.traffic().kind(), run.packetBytes(), run.settings());
        return QuicReceiver.open(run);
    }

    @Override
    public void checkPackets(Traffic traffic, int packetBytes, Settings settings) throws LagbenchException {
        if (!sendsDatagrams(settings)) {
            return;
        }
        if (traffic == Traffic.TRANSFER) {
            throw ExitCode.USAGE.failure(
                    "quic.delivery: datagrams can be lost, and a transfer must arrive whole; use stream.");
        }
        if (packetBytes > MAXIMUM_DATAGRAM_BYTES) {
            throw ExitCode.USAGE.failure("quic.delivery: a datagram of QUIC carries at most " + MAXIMUM_DATAGRAM_BYTES
                    + " bytes, not " + packetBytes + "; use smaller packets, or quic.delivery: stream.");
        }
    }
}
