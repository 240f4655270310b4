package org.lagbench.packetio.engine;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/**
 * The configuration of an engine for one side of a run.
 *
 * @param transport the transport to send or receive over
 * @param run the run's parameters for the transport
 * @param traffic what the run does; a receiver uses its kind only
 * @param packets number of recorded packets
 * @param warmUpPackets maximum number of warm-up packets, which are sent before the recorded ones
 * @param leadOutPackets maximum number of lead-out packets, which are sent after the recorded ones
 * @param captureFile the capture, which the caller creates and closes
 * @param answers receives the records of the answers to a sender, in {@link ReceiverCapture#ANSWERS_FILE_NAME} beside
 *     the capture; null unless this is the sender of round trips
 * @param announced what {@link SendEngine#announce} returned; empty on the sending side
 */
public record EngineConfig(
        PacketTransport transport,
        TransportRun run,
        TrafficSpec traffic,
        long packets,
        long warmUpPackets,
        long leadOutPackets,
        Path captureFile,
        @Nullable ReceiverCapture answers,
        Map<String, String> announced) {
    /** Creates a configuration of a side that gets no answers. */
    public EngineConfig(
            PacketTransport transport,
            TransportRun run,
            TrafficSpec traffic,
            long packets,
            long warmUpPackets,
            long leadOutPackets,
            Path captureFile,
            Map<String, String> announced) {
        this(transport, run, traffic, packets, warmUpPackets, leadOutPackets, captureFile, null, announced);
    }

    /**
     * Returns the difference between the sequence number of a lead-out packet, which is negative, and its place among
     * the packets, which begins at {@link #packets}.
     */
    public long leadOutShift() {
        return -packets - warmUpPackets - leadOutPackets;
    }
}
