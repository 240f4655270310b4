package org.lagbench.packetio.transport;

import java.net.InetAddress;
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
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/**
 * Builds the configuration of a side of a run on loopback. Without other calls: one packet, one way, by system calls.
 */
public final class SideBuilder {
    private final PacketTransport transport;
    private final long tag;
    private final int packetBytes;
    private final Settings settings;
    private Phases phases = new Phases(0, 1, 0);
    private TrafficSpec traffic = TrafficSpec.ONE_WAY;
    private Pace pace = new Pace(Pace.Mode.SLEEP, 1_000_000, 1);
    private Set<ObservedSource> observe = Set.of();
    private SocketApi socketApi = SocketApi.SYSTEM_CALLS;
    private String host = "127.0.0.1";
    private @Nullable String listensAt;
    private LocalEnd local = LocalEnd.ANY;
    private Path file = Path.of("no-capture");
    private @Nullable ReceiverCapture replies;
    private @Nullable ReceiverCapture receivedBytes;
    private Map<String, String> announced = Map.of();
    private @Nullable InetAddress replyTo;

    public SideBuilder(String transport, long tag, int packetBytes, Map<String, String> settings)
            throws LagbenchException {
        this.transport = PacketTransport.of(Transports.load().named(transport));
        this.tag = tag;
        this.packetBytes = packetBytes;
        this.settings = Settings.of(this.transport.settings(), settings);
    }

    public SideBuilder phases(long warmUp, long recorded, long leadOut) {
        phases = new Phases(warmUp, recorded, leadOut);
        return this;
    }

    public SideBuilder traffic(TrafficSpec other) {
        traffic = other;
        return this;
    }

    public SideBuilder flood() {
        pace = Pace.flood();
        return this;
    }

    public SideBuilder observe(ObservedSource source) {
        observe = Set.of(source);
        return this;
    }

    public SideBuilder socketApi(SocketApi other) {
        socketApi = other;
        return this;
    }

    public SideBuilder host(String address) {
        host = address;
        return this;
    }

    public SideBuilder listensAt(@Nullable String address) {
        listensAt = address;
        return this;
    }

    public SideBuilder local(LocalEnd end) {
        local = end;
        return this;
    }

    public SideBuilder file(Path captureFile) {
        file = captureFile;
        return this;
    }

    public SideBuilder replies(@Nullable ReceiverCapture capture) {
        replies = capture;
        return this;
    }

    public SideBuilder receivedBytes(@Nullable ReceiverCapture capture) {
        receivedBytes = capture;
        return this;
    }

    public SideBuilder announced(Map<String, String> bySender) {
        announced = bySender;
        return this;
    }

    public SideBuilder replyTo(@Nullable InetAddress onlyHost) {
        replyTo = onlyHost;
        return this;
    }

    public SideConfig build() {
        Point point = new Point(
                transport.name(),
                packetBytes,
                phases.recorded(),
                phases.warmUp(),
                pace,
                traffic,
                settings,
                new EngineSpec("java", JvmOptions.NONE),
                observe,
                RunConditions.DEFAULT);
        return new SideConfig(
                point,
                transport,
                settings,
                tag,
                phases.leadOut(),
                socketApi,
                host,
                listensAt,
                local,
                file,
                replies,
                receivedBytes,
                announced,
                replyTo,
                Set.of(InetAddress.getLoopbackAddress()));
    }
}
