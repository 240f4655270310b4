package org.lagbench.engines.srt;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Pace;
import org.lagbench.engines.message.EngineProgram;
import org.lagbench.engines.message.LibraryEngine;
import org.lagbench.packetio.transport.SideConfig;

/** The engine {@code libsrt}: a message for each packet, by a program in C over libsrt (src/main/srt). */
public final class SrtEngine extends LibraryEngine {
    /** The default size of libsrt's buffers. */
    private static final long MINIMUM_BUFFER_PACKETS = 8_192;

    /** At most 512 MiB on each side: libsrt has 1.8 kB for each. */
    private static final long MAXIMUM_BUFFER_PACKETS = 250_000;

    /** Enough for 1 Gbit/s of packets of 992 bytes for half a second; a flood waits while they are full. */
    private static final long FLOOD_BUFFER_PACKETS = 65_536;

    /** The longest round trip for which the buffers have room, in s. */
    private static final double ROUND_TRIP_S = 1;

    private static final double MARGIN = 1.5;

    /** The header of a data packet (draft-sharabayko-srt-01, section 3.1). */
    private static final Framing FRAMING = new Framing(16, 1);

    /** Behind the number of the UDP packet: four flags of six bits, and the number of the message, from 1 on. */
    private static final Framing ENCRYPTED =
            new Framing(16, 1, 0, new Framing.NumberField(Integer.BYTES, (1 << 26) - 1, 1), false);

    private static final long MAXIMUM_CONNECT_TIMEOUT_MS = 10_000;

    /** Creates the engine, for the service loader. */
    public SrtEngine() {
        super(
                new EngineProgram(
                        "lagbench-srt", "libsrt", "libsrt", "libsrt-gnutls-dev libgnutls28-dev nettle-dev pkg-config"),
                12,
                SrtTransport.class);
    }

    @Override
    public Framing framing(Settings settings) {
        return settings.word(SrtTransport.ENCRYPTION).equals(Parameter.NONE) ? FRAMING : ENCRYPTED;
    }

    @Override
    public @Nullable KnownFault knownFault() throws LagbenchException {
        return LibsrtFault.of(program(), Path.of("/"));
    }

    @Override
    protected boolean acceptsReceivers(Transport transport) {
        return true;
    }

    @Override
    protected List<String> arguments(SideConfig config) throws LagbenchException {
        return List.of("buffer-packets=" + bufferPackets(config), "connect-timeout-ms=" + connectTimeoutMs(config));
    }

    /** Returns how long a sender may connect: over a path that loses packets, longer than the 3 s of the library. */
    private static long connectTimeoutMs(SideConfig config) {
        return Math.min(
                MAXIMUM_CONNECT_TIMEOUT_MS, config.point().stallTimeout().toMillis());
    }

    /**
     * Returns how many packets the buffers must hold: the receiver's has all of the latency, and if it is full, the
     * stream stops without an error.
     */
    private static long bufferPackets(SideConfig config) throws LagbenchException {
        Pace pace = config.point().pace();
        if (pace.mode() == Pace.Mode.FLOOD) {
            return FLOOD_BUFFER_PACKETS;
        }
        double latencyS = (double) config.transport().holdNs(config.settings()) / TimeUnit.SECONDS.toNanos(1);
        double packetsPerS = (double) TimeUnit.SECONDS.toNanos(1) * pace.burst() / pace.intervalNs();
        double packets = packetsPerS * (latencyS + ROUND_TRIP_S) * MARGIN;
        if (packets > MAXIMUM_BUFFER_PACKETS) {
            throw ExitCode.USAGE.failure("srt.latency: " + config.settings().word(SrtTransport.LATENCY) + " of "
                    + Math.round(packetsPerS) + " packets/s needs buffers of " + Math.round(packets)
                    + " packets; use a longer interval or a shorter latency, so that "
                    + MAXIMUM_BUFFER_PACKETS + " are enough.");
        }
        return Math.max(MINIMUM_BUFFER_PACKETS, (long) packets);
    }
}
