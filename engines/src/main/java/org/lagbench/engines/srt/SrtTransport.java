package org.lagbench.engines.srt;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.packetio.socket.SocketBuffer;

/**
 * SRT in live mode (draft-sharabayko-srt-01): one message per packet, each delivered a fixed latency after it was sent.
 * Until then the library retransmits it if it is lost.
 */
public final class SrtTransport implements Transport {
    static final String LATENCY = "latency";
    static final String ENCRYPTION = "encryption";

    private static final String FEC = "fec";
    private static final Pattern MATRIX = Pattern.compile("([2-9]|[1-9]\\d)x([1-9]\\d?)");

    /** 1,500 bytes of an Ethernet frame without 28 of IP and UDP and 16 of SRT, which libsrt demands. */
    private static final int MAXIMUM_PACKET_BYTES = 1_456;

    /** The bytes that libsrt's filter adds to each packet. */
    private static final int FILTER_BYTES = 4;

    /** Creates the transport, for the service loader. */
    public SrtTransport() {}

    @Override
    public String name() {
        return "srt";
    }

    @Override
    public String title() {
        return "SRT";
    }

    @Override
    public int tableOrder() {
        return 3;
    }

    @Override
    public Wire wire() {
        return Wire.LIBRARY;
    }

    @Override
    public List<Parameter<?>> settings() {
        return List.of(
                Parameter.duration(LATENCY, Duration.ZERO, Duration.ofMinutes(1))
                        .asText()
                        .byDefault("120ms")
                        .described("How long after it was sent, beyond the path's delay, a packet is delivered"
                                + " (SRTO_LATENCY), in whole ms. Losses are repaired in this time."),
                Parameter.text(FEC, MATRIX, "the columns and rows of the packets of a matrix, such as 10x5")
                        .orWord(Parameter.NONE)
                        .described("Forward error correction by libsrt's packet filter: a further packet for each row"
                                + " and each column."),
                Parameter.choice("fec-layout", List.of("even", "staircase"))
                        .byDefault("even")
                        .described("With fec, whether the columns begin together or one after the other."),
                Parameter.choice("fec-repair", List.of("on-request", "always", "never"))
                        .byDefault("on-request")
                        .described("With fec, whether lost packets are also retransmitted: those that the filter"
                                + " cannot rebuild, all, or none."),
                Parameter.choice(ENCRYPTION, List.of(Parameter.NONE, "aes-128", "aes-192", "aes-256"))
                        .byDefault(Parameter.NONE)
                        .described("The cipher of the payload. Its passphrase is derived from the run's tag."),
                Parameter.number("overhead-percent", 5, 100)
                        .orWord("unlimited")
                        .described("The bandwidth for retransmissions as a share of the packets' (SRTO_OHEADBW);"
                                + " unlimited sends up to 1 Gbit/s."),
                Parameter.choice("too-late-drop", List.of("on", "off"))
                        .byDefault("on")
                        .described("Whether a packet that is missing when it is due is given up (SRTO_TLPKTDROP)."),
                SocketBuffer.SEND.setting(),
                SocketBuffer.RECEIVE.setting());
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return MAXIMUM_PACKET_BYTES - (settings.word(FEC).equals(Parameter.NONE) ? 0 : FILTER_BYTES);
    }

    @Override
    public void check(int packetBytes, Settings settings) throws LagbenchException {
        if (holdNs(settings) % TimeUnit.MILLISECONDS.toNanos(1) != 0) {
            throw ExitCode.USAGE.failure(
                    "srt.latency: " + settings.word(LATENCY) + " is not a whole number of ms, which libsrt demands.");
        }
    }

    @Override
    public String holdSetting() {
        return LATENCY;
    }

    /** A packet of the filter comes after the last one of its matrix. */
    @Override
    public long leadOutPackets(int packetBytes, Settings settings, boolean flood) {
        Matcher matrix = MATRIX.matcher(settings.word(FEC));
        long ofMatrix = matrix.matches() ? Long.parseLong(matrix.group(1)) * Long.parseLong(matrix.group(2)) : 0;
        return Math.max(ofMatrix, Transport.super.leadOutPackets(packetBytes, settings, flood));
    }
}
