package org.lagbench.sender;

import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.SideMessage;
import org.lagbench.control.StartGate;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/**
 * What a run of a sender needs.
 *
 * @param request the run and the requirements of its start
 * @param link opens the control connection
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param local this host's end of the packets
 * @param directory parent of the run's directory
 * @param chrony the daemon that synchronizes this host's clock
 * @param startGate delays the recorded packets after the warm-up
 * @param reportsIntervals whether to report what the receiver recorded in each second
 * @param events receives what the run reports while it is executed
 */
record SenderConfig(
        RunRequest request,
        ReceiverLink link,
        @Nullable String dataHost,
        LocalEnd local,
        Path directory,
        ChronyClient chrony,
        StartGate startGate,
        boolean reportsIntervals,
        Consumer<SideMessage.Event> events) {
    /**
     * Returns the engine of the request, which may come from another host.
     *
     * @throws LagbenchException if there is none, it does not support the run, or a setting is not accepted
     */
    PacketEngine engine(Transport transport) throws LagbenchException {
        Point point = request.run().point();
        Engines engines = Engines.load();
        Engine engine = engines.named(point.program().engine());
        engines.check(engine, transport, point.traffic().kind(), point.observe());
        try {
            Settings settings = point.allSettings();
            if (!Settings.of(engine.settingsOver(transport), settings.asText()).equals(settings)) {
                throw new IllegalArgumentException(
                        "the request must contain all settings, but contains only " + settings + ".");
            }
            if (!engine.runsOnJvm() && !point.program().jvmOptions().equals(JvmOptions.NONE)) {
                throw new IllegalArgumentException("--jvm: the engine " + engine.name() + " has no JVM.");
            }
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(String.valueOf(e.getMessage()), e);
        }
        engines.checkLocalEnd(engine, transport, local, !link.isRequested());
        CompressionSpec compression = point.traffic().compression();
        if (compression != null) {
            engine.checkCompression(transport, point.allSettings(), compression);
        }
        return PacketEngine.of(engine);
    }

    RunSpec spec() {
        return request.run();
    }

    /**
     * Returns the configuration of the sending engine.
     *
     * @param point of the run
     * @param tag the tag of the run's packets
     */
    SideConfig side(
            Point point,
            Transport transport,
            long tag,
            long leadOutPackets,
            ControlConnection connection,
            RunFiles files)
            throws LagbenchException {
        String receiver = dataHost == null ? Endpoint.parse(connection.peer()).host() : dataHost;
        return new SideConfig(
                point,
                transport,
                point.allSettings(),
                tag,
                leadOutPackets,
                SocketApi.SYSTEM_CALLS,
                receiver,
                link.isRequested() ? connection.localHost() : null,
                local.of(spec().stream()),
                files.captureFile(),
                files.replies(),
                null,
                Map.of(),
                null,
                Set.of(DataPort.resolve(receiver)));
    }
}
