package org.lagbench.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Key;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;

/**
 * The values of each axis of an experiment. Its points are all combinations of transport, packet size, traffic, pace,
 * program and the transport's settings.
 *
 * @param transports the transports with their settings; empty if there are streams
 * @param packetSizes the packet sizes of each kind of traffic, header included, in bytes; accepted by every transport
 * @param kinds the kinds of traffic
 * @param transferBytes the sizes of transfers
 * @param codecs the codecs of transfers; {@link CompressionSpec#OFF} for pieces that are packets
 * @param data the contents of compressed transfers
 * @param paces the schedules of the packets
 * @param engines the engines with their settings
 * @param jvmOptions the sets of options of the engines that run on a JVM
 * @param conditions all combinations of the values of their parameters
 */
public record PointAxes(
        List<SettingAxes<Transport>> transports,
        @Key("packet-bytes") Map<Traffic, List<Integer>> packetSizes,
        @Key("traffic") List<Traffic> kinds,
        List<Long> transferBytes,
        List<String> codecs,
        List<String> data,
        List<Pace> paces,
        List<SettingAxes<Engine>> engines,
        List<JvmOptions> jvmOptions,
        @Key("") List<RunConditions> conditions) {
    public PointAxes {
        transports = List.copyOf(transports);
        packetSizes = Collections.unmodifiableMap(new LinkedHashMap<>(packetSizes));
        kinds = List.copyOf(kinds);
        transferBytes = List.copyOf(transferBytes);
        codecs = List.copyOf(codecs);
        data = List.copyOf(data);
        paces = List.copyOf(paces);
        engines = List.copyOf(engines);
        jvmOptions = List.copyOf(jvmOptions);
        conditions = List.copyOf(conditions);
    }

    /** Returns the values of the traffic axis: each kind, and transfers of each size with each codec and its data. */
    List<TrafficSpec> traffics(BasePoint base) {
        List<TrafficSpec> traffics = new ArrayList<>();
        for (Traffic kind : kinds) {
            if (kind == Traffic.TRANSFER) {
                transferBytes.forEach(bytes ->
                        compressions().forEach(compression -> traffics.add(base.transfers(bytes, compression))));
            } else {
                traffics.add(base.traffic(kind));
            }
        }
        return traffics;
    }

    /** Returns each codec with each kind of data; null for transfers of packets. */
    private List<@Nullable CompressionSpec> compressions() {
        List<@Nullable CompressionSpec> compressions = new ArrayList<>();
        for (String codec : codecs) {
            if (codec.equals(CompressionSpec.OFF)) {
                compressions.add(null);
            } else {
                data.forEach(contents -> compressions.add(new CompressionSpec(codec, contents)));
            }
        }
        return compressions;
    }

    /** Returns the packet sizes of a kind of traffic, header included, in bytes. */
    List<Integer> packetBytes(TrafficSpec traffic) {
        return packetSizes.getOrDefault(traffic.kind(), List.of());
    }

    /**
     * Returns the values of the engine axis: each engine with its settings, and each engine on a JVM with each set of
     * JVM options.
     */
    List<EngineSpec> programs() {
        return programs(engine -> true);
    }

    private List<EngineSpec> programs(Predicate<Engine> isUsed) {
        List<EngineSpec> programs = new ArrayList<>();
        for (SettingAxes<Engine> engine : engines) {
            if (!isUsed.test(engine.owner())) {
                continue;
            }
            List<JvmOptions> options = engine.owner().runsOnJvm() ? jvmOptions : List.of(JvmOptions.NONE);
            for (Settings settings : engine.combinations()) {
                options.forEach(option -> programs.add(new EngineSpec(engine.name(), settings, option)));
            }
        }
        return programs;
    }

    /** Returns the number of programs without making them, because there may be too many. */
    double programCount() {
        return programCount(engine -> true);
    }

    private double programCount(Predicate<Engine> isUsed) {
        return sum(
                engines.stream().filter(engine -> isUsed.test(engine.owner())).toList(),
                engine -> engine.combinationCount() * (engine.owner().runsOnJvm() ? jvmOptions.size() : 1.0));
    }

    /** Returns the number of points without making them, because there may be too many. */
    double pointCount(BasePoint base) {
        return sum(traffics(base), traffic -> packetBytes(traffic).size())
                * paces.size()
                * conditions.size()
                * sum(
                        transports,
                        transport -> transport.combinationCount()
                                * programCount(engine -> engine.pairsWith(transport.owner())));
    }

    private static <T> double sum(List<T> all, ToDoubleFunction<T> count) {
        return all.stream().mapToDouble(count).sum();
    }

    /** Returns the shortest time without progress after which a run fails. */
    Duration stallTimeout() {
        return conditions.stream()
                .map(RunConditions::stallTimeout)
                .min(Comparator.naturalOrder())
                .orElse(RunConditions.DEFAULT.stallTimeout());
    }

    /** Returns the points, each program only with the transports over which it sends. */
    List<Point> points(BasePoint base) {
        List<Point> points = new ArrayList<>();
        List<TrafficSpec> traffics = traffics(base);
        List<Integer> sizes = traffics.stream()
                .flatMap(traffic -> packetBytes(traffic).stream())
                .distinct()
                .toList();
        for (SettingAxes<Transport> transport : transports) {
            List<EngineSpec> programs = programs(engine -> engine.pairsWith(transport.owner()));
            List<Settings> combinations = transport.combinations();
            for (int bytes : sizes) {
                for (TrafficSpec traffic : traffics) {
                    for (Pace pace : packetBytes(traffic).contains(bytes) ? paces : List.<Pace>of()) {
                        for (EngineSpec program : programs) {
                            for (Settings settings : combinations) {
                                conditions.forEach(each -> points.add(
                                        base.point(transport.name(), bytes, traffic, pace, program, settings, each)));
                            }
                        }
                    }
                }
            }
        }
        return points;
    }

    /**
     * Returns the point of an experiment with one transport, packet size, pace and program.
     *
     * @param settings the transport's settings; null for the settings of the experiment
     */
    Point onlyPoint(BasePoint base, @Nullable Settings settings) {
        TrafficSpec traffic = traffics(base).get(0);
        SettingAxes<Transport> transport = transports.get(0);
        return base.point(
                transport.name(),
                packetBytes(traffic).get(0),
                traffic,
                paces.get(0),
                programs().get(0),
                settings == null ? transport.combinations().get(0) : settings,
                conditions.get(0));
    }
}
