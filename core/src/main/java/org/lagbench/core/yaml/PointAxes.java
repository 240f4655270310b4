package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TransferSpec;

/**
 * What may vary between the points of an experiment, with the values of one point as text. A setting of a transport or
 * an engine is named as in the file, {@code tcp.send-buffer}; {@code send-buffer} is that setting of every transport
 * that has it.
 *
 * @param values by the name of the axis, in the order of an experiment file
 */
public record PointAxes(Map<String, String> values) {
    public static final String TRANSPORT = "transport";
    public static final String PACKET_BYTES = "packet-bytes";
    public static final String TRAFFIC = "traffic";
    /** The size of a transfer; points of other traffic do not have it. */
    public static final String TRANSFER_BYTES = "transfer-bytes";

    /** The codec of chunks. Points without compressed transfers do not have this axis. */
    public static final String CODEC = "codec";

    /** The data of chunks. Points without compressed transfers do not have this axis. */
    public static final String DATA = "data";

    public static final String PACE = "pace";
    public static final String ENGINE = "engine";
    public static final String JVM = "jvm";

    public PointAxes {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** Returns the number of the pair that each point belongs to. The points of a pair differ only in one axis. */
    static int[] pairs(List<PointAxes> points, String axis) {
        Map<PointAxes, Integer> numbers = new HashMap<>();
        return points.stream()
                .map(point -> point.without(axis))
                // an engine without a JVM has no options, but belongs to the pair of those that have some
                .map(others -> axis.equals(ENGINE) ? others.without(JVM) : others)
                .mapToInt(others -> numbers.computeIfAbsent(others, pair -> numbers.size()))
                .toArray();
    }

    /**
     * Returns the axes of a point with these values.
     *
     * @param transfer the transfers; null for other traffic
     * @param intervalNs the time between packets, or between bursts, in ns; 0 in a flood
     * @param settings of the transport and the engine, by name
     * @param ofEngine the names of those that are the engine's
     */
    public static PointAxes of(
            String transport,
            int packetBytes,
            String traffic,
            @Nullable TransferSpec transfer,
            String paceMode,
            long intervalNs,
            int burst,
            String engine,
            String jvm,
            Map<String, Object> settings,
            Set<String> ofEngine) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(TRANSPORT, transport);
        values.put(PACKET_BYTES, Integer.toString(packetBytes));
        values.put(TRAFFIC, traffic);
        if (transfer != null) {
            values.put(TRANSFER_BYTES, Long.toString(transfer.bytes()));
            CompressionSpec compression = transfer.compression();
            if (compression != null) {
                values.put(CODEC, compression.codec());
                values.put(DATA, compression.data());
            }
        }
        values.put(
                PACE,
                intervalNs == 0
                        ? paceMode
                        : paceMode + " " + Intervals.format(intervalNs) + (burst == 1 ? "" : " x " + burst));
        values.put(ENGINE, engine);
        values.put(JVM, jvm);
        settings.forEach((name, value) ->
                values.put((ofEngine.contains(name) ? engine : transport) + "." + name, String.valueOf(value)));
        return new PointAxes(values);
    }

    /** Returns the axes of streams at the same time, all of one program. */
    static PointAxes ofStreams(List<RunSpec> together) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(
                ExperimentKeys.STREAMS.name(),
                together.stream()
                        .map(RunSpec::stream)
                        .filter(Objects::nonNull)
                        .map(StreamRole::name)
                        .collect(Collectors.joining(" ")));
        Program program = together.get(0).point().program();
        values.put(ENGINE, program.engine());
        values.put(JVM, program.jvmOptions().text());
        return new PointAxes(values);
    }

    static PointAxes of(Point point) {
        return of(
                point.transport(),
                point.packetBytes(),
                point.traffic().kind().text(),
                point.traffic().transfer(),
                point.pace().mode().text(),
                point.pace().intervalNs(),
                point.pace().burst(),
                point.program().engine(),
                point.program().jvmOptions().text(),
                point.allSettings().asMap(),
                point.program().settings().asMap().keySet());
    }

    /** Returns the value of an axis; null if the point does not have it. */
    public @Nullable String value(String axis) {
        return Stream.of(axis, setting(TRANSPORT, axis), setting(ENGINE, axis))
                .map(values::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the axes without one of them. Without the transport or the engine, its settings are absent too. */
    public PointAxes without(String axis) {
        Map<String, String> left = new LinkedHashMap<>(values);
        left.remove(axis);
        left.remove(setting(TRANSPORT, axis));
        left.remove(setting(ENGINE, axis));
        if (axis.equals(TRANSPORT) || axis.equals(ENGINE)) {
            left.keySet().removeIf(name -> name.startsWith(setting(axis, "")));
        }
        return new PointAxes(left);
    }

    /** Returns the axes with several values among points, each with its values in their order. */
    public static Map<String, List<String>> varied(Collection<PointAxes> points) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (PointAxes point : points) {
            point.values.forEach((axis, value) -> {
                List<String> found = all.computeIfAbsent(axis, name -> new ArrayList<>());
                if (!found.contains(value)) {
                    found.add(value);
                }
            });
        }
        all.values().removeIf(found -> found.size() < 2);
        return all;
    }

    /** Returns the full name of a setting of the point's transport or engine. */
    private String setting(String of, String name) {
        return values.get(of) + "." + name;
    }
}
