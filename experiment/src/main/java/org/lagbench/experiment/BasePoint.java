package org.lagbench.experiment;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Key;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;

/**
 * What all points of an experiment have in common.
 *
 * @param packets number of recorded packets of a run without transfers
 * @param warmUpPackets number of unrecorded packets that are sent before the recorded ones
 * @param inFlight how many packets of a round trip may wait for their replies
 * @param replyTimeout how long after a packet of a round trip its reply is late
 * @param transferCount the number of transfers of a run
 * @param keepsConnection whether the transfers of a run share a connection
 * @param observe what is recorded besides the packets' stamps
 */
public record BasePoint(
        long packets,
        long warmUpPackets,
        int inFlight,
        Duration replyTimeout,
        @Key("transfers") int transferCount,
        @Key("connection") boolean keepsConnection,
        List<ObservedSource> observe) {
    public BasePoint {
        observe = List.copyOf(observe);
    }

    /** Returns this with what {@link Point#withoutAuto} observes. */
    BasePoint withoutAuto() {
        List<ObservedSource> others =
                observe.stream().filter(source -> source != ObservedSource.AUTO).toList();
        return new BasePoint(packets, warmUpPackets, inFlight, replyTimeout, transferCount, keepsConnection, others);
    }

    /** Returns traffic without transfers. */
    TrafficSpec traffic(Traffic kind) {
        return kind == Traffic.ROUND_TRIP ? new TrafficSpec(kind, inFlight, replyTimeout) : TrafficSpec.of(kind);
    }

    /**
     * Returns transfers.
     *
     * @param compression of their pieces; null if these are packets
     */
    TrafficSpec transfers(long bytes, @Nullable CompressionSpec compression) {
        return TrafficSpec.of(new TransferSpec(bytes, transferCount, keepsConnection, compression));
    }

    /** Returns the point with these values. */
    Point point(
            String transport,
            int bytes,
            TrafficSpec traffic,
            Pace pace,
            EngineSpec program,
            Settings settings,
            RunConditions conditions) {
        long count = traffic.packets(packets, bytes);
        return new Point(
                transport,
                bytes,
                count,
                warmUpPackets,
                pace,
                traffic,
                settings,
                program,
                Set.copyOf(observe),
                conditions);
    }

    /** Returns the point of a stream. */
    Point point(PacketStream stream, EngineSpec program, RunConditions conditions) {
        return new Point(
                stream.transport(),
                stream.packetBytes(),
                stream.packets(),
                warmUpPackets,
                stream.pace(),
                TrafficSpec.ONE_WAY,
                stream.settings(),
                program,
                Set.copyOf(observe),
                conditions);
    }
}
