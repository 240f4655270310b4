package org.lagbench.packetio.engine;

import java.nio.file.Path;
import java.util.Map;
import org.lagbench.core.engine.Traffic;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/**
 * The configuration of an engine for one side of a run.
 *
 * @param transport the transport to send or receive over
 * @param run the run's parameters for the transport
 * @param traffic the kind of traffic
 * @param packets number of recorded packets
 * @param warmUpPackets maximum number of warm-up packets before them
 * @param captureFile the capture, which the caller creates and closes
 * @param announced what {@link SendEngine#announce} returned; empty on the sending side
 */
public record EngineConfig(
        PacketTransport transport,
        TransportRun run,
        Traffic traffic,
        long packets,
        long warmUpPackets,
        Path captureFile,
        Map<String, String> announced) {}
