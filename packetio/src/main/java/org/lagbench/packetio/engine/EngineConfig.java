package org.lagbench.packetio.engine;

import java.nio.file.Path;
import java.util.Map;
import org.lagbench.core.engine.Traffic;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/**
 * What an engine must know of a run.
 *
 * @param transport over which it sends and receives
 * @param run what the transport must know
 * @param traffic what the packets do
 * @param packets how many are recorded
 * @param warmUpPackets how many go before them at most
 * @param captureFile the capture, which its caller makes and closes
 * @param announced on the receiving side what {@link SendEngine#announce} gave; empty on the other
 */
public record EngineConfig(
        PacketTransport transport,
        TransportRun run,
        Traffic traffic,
        long packets,
        long warmUpPackets,
        Path captureFile,
        Map<String, String> announced) {}
