package org.lagbench.compression.chunk;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** Configurations of the sides of a run of transfers over TCP, for tests. */
final class ChunkSides {
    private ChunkSides() {}

    static SideConfig of(
            long tag,
            int chunkBytes,
            TransferSpec transfers,
            long warmUp,
            String host,
            Path captureFile,
            @Nullable ReceiverCapture receivedBytes,
            Map<String, String> announced)
            throws LagbenchException {
        PacketTransport tcp = PacketTransport.of(Transports.load().named("tcp"));
        Settings settings = Settings.of(tcp.settings(), Map.of());
        Point point = new Point(
                "tcp",
                chunkBytes,
                transfers.count() * transfers.pieces(chunkBytes),
                warmUp,
                Pace.flood(),
                TrafficSpec.of(transfers),
                settings,
                new EngineSpec("java", JvmOptions.NONE),
                Set.of(),
                RunConditions.DEFAULT);
        return new SideConfig(
                point,
                tcp,
                settings,
                tag,
                0,
                SocketApi.SYSTEM_CALLS,
                host,
                null,
                LocalEnd.ANY,
                captureFile,
                null,
                receivedBytes,
                announced,
                null,
                Set.of());
    }
}
