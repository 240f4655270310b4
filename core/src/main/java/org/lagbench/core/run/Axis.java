package org.lagbench.core.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;

/**
 * A parameter in which points may differ, with the way its value is read from a point. Settings of the transport and
 * the engine are further axes, named as in a file: {@code tcp.send-buffer}; {@code send-buffer} is that setting of
 * every transport that has it. The <em>values</em> of a point are texts by the names of its axes.
 *
 * @param name as in an experiment file
 * @param isNumber whether all values are whole numbers
 * @param reader returns the value as in a file; null for a point that does not have the axis
 */
public record Axis(String name, boolean isNumber, Function<Point, @Nullable String> reader) {
    public static final String TRANSPORT = "transport";
    public static final String PACKET_BYTES = "packet-bytes";
    public static final String TRAFFIC = "traffic";
    public static final String TRANSFER_BYTES = "transfer-bytes";
    public static final String TRANSFERS = "transfers";
    public static final String CONNECTION = "connection";
    public static final String CODEC = "codec";
    public static final String DATA = "data";
    public static final String PACE = "pace";
    public static final String ENGINE = "engine";
    public static final String JVM = "jvm";

    /** What distinguishes the points of most experiments, in the order of a file. */
    private static final List<Axis> MAIN = List.of(
            new Axis(TRANSPORT, Point::transport),
            of(RunParameters.PACKET_BYTES, Point::packetBytes),
            new Axis(TRAFFIC, point -> point.traffic().kind().text()),
            ofTransfer(RunParameters.TRANSFER_BYTES, TransferSpec::bytes),
            ofTransfer(RunParameters.TRANSFERS, TransferSpec::count),
            ofTransfer(RunParameters.CONNECTION, TransferSpec::keepsConnection),
            new Axis(CODEC, Axis::codec),
            new Axis(DATA, point -> compression(point, CompressionSpec::data)),
            new Axis(PACE, point -> format(point.pace())),
            new Axis(ENGINE, point -> point.program().engine()),
            new Axis(JVM, point -> point.program().jvmOptions().text()));

    /** All axes except the main ones and settings; the points of one experiment seldom differ in these. */
    public static final List<Axis> CONDITIONS = Stream.concat(
                    Stream.of(
                            ofRoundTrip(RunParameters.IN_FLIGHT, TrafficSpec::inFlight),
                            ofRoundTrip(RunParameters.REPLY_TIMEOUT, TrafficSpec::replyTimeout),
                            new Axis(ObservedSource.KEY, Axis::sources),
                            of(
                                    RunParameters.PACKETS,
                                    point -> point.traffic().transfer() == null ? point.packets() : null),
                            of(RunParameters.WARM_UP_PACKETS, Point::warmUpPackets)),
                    IntStream.range(0, RunConditions.SECTION.parameters().size())
                            .mapToObj(Axis::ofCondition))
            .toList();

    /** All but settings. */
    public static final List<Axis> ALL =
            Stream.of(MAIN, CONDITIONS).flatMap(List::stream).toList();

    private Axis(String name, Function<Point, @Nullable String> reader) {
        this(name, false, reader);
    }

    private static <T> Axis of(Parameter<T> parameter, Function<Point, @Nullable T> reader) {
        boolean isNumber = !parameter.range().equals(Parameter.Range.NONE) && !parameter.isTime();
        return new Axis(parameter.name(), isNumber, point -> {
            T value = reader.apply(point);
            return value == null ? null : parameter.format(value);
        });
    }

    private static <T> Axis ofTransfer(Parameter<T> parameter, Function<TransferSpec, T> reader) {
        return of(parameter, point -> {
            TransferSpec transfer = point.traffic().transfer();
            return transfer == null ? null : reader.apply(transfer);
        });
    }

    private static @Nullable String compression(Point point, Function<CompressionSpec, String> reader) {
        CompressionSpec compression = point.traffic().compression();
        return compression == null ? null : reader.apply(compression);
    }

    private static @Nullable String codec(Point point) {
        String codec = compression(point, CompressionSpec::codec);
        return codec == null && point.traffic().transfer() != null ? CompressionSpec.OFF : codec;
    }

    private static <T> Axis ofRoundTrip(Parameter<T> parameter, Function<TrafficSpec, T> reader) {
        return of(parameter, point -> point.traffic().isAnswered() ? reader.apply(point.traffic()) : null);
    }

    @SuppressWarnings("unchecked") // value i of a section has the type of the section's parameter i
    private static Axis ofCondition(int index) {
        return of(
                (Parameter<Object>) RunConditions.SECTION.parameters().get(index),
                point -> RunConditions.SECTION.values(point.conditions()).get(index));
    }

    private static String format(Pace pace) {
        String burst = pace.burst() == 1 ? "" : " x " + pace.burst();
        return pace.intervalNs() == 0
                ? pace.mode().text()
                : pace.mode().text() + " " + Durations.format(pace.intervalNs()) + burst;
    }

    private static String sources(Point point) {
        return point.observe().isEmpty()
                ? Parameter.NONE
                : point.observe().stream().map(ObservedSource::text).collect(Collectors.joining(" "));
    }

    /** Returns the values of a point, in the order of an experiment file. */
    public static Map<String, String> values(Point point) {
        Map<String, String> values = values(ALL, point);
        point.settings().asText().forEach((name, value) -> values.put(point.transport() + "." + name, value));
        EngineSpec program = point.program();
        program.settings().asText().forEach((name, value) -> values.put(program.engine() + "." + name, value));
        return values;
    }

    /** Returns the values of some axes of a point. */
    public static Map<String, String> values(List<Axis> axes, Point point) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Axis axis : axes) {
            String value = axis.reader.apply(point);
            if (value != null) {
                values.put(axis.name, value);
            }
        }
        return values;
    }

    /** Returns the value of an axis; null if the point does not have it. */
    public static @Nullable String value(Map<String, String> values, String axis) {
        return Stream.of(axis, setting(values, TRANSPORT, axis), setting(values, ENGINE, axis))
                .map(values::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns the values without those of an axis. If the axis is the transport or the engine, its settings are absent
     * too; if it is the traffic, the values that only round trips have.
     */
    public static Map<String, String> without(Map<String, String> values, String axis) {
        Map<String, String> left = new LinkedHashMap<>(values);
        left.remove(axis);
        left.remove(setting(values, TRANSPORT, axis));
        left.remove(setting(values, ENGINE, axis));
        if (axis.equals(TRANSPORT) || axis.equals(ENGINE)) {
            left.keySet().removeIf(name -> name.startsWith(setting(values, axis, "")));
        } else if (axis.equals(TRAFFIC)) {
            left.remove(RunParameters.IN_FLIGHT.name());
            left.remove(RunParameters.REPLY_TIMEOUT.name());
        }
        return left;
    }

    /** Returns the axes with several values among points, each with its values in their order. */
    public static Map<String, List<String>> varied(Collection<Map<String, String>> points) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        points.forEach(point -> point.forEach((axis, value) -> {
            List<String> found = all.computeIfAbsent(axis, name -> new ArrayList<>());
            if (!found.contains(value)) {
                found.add(value);
            }
        }));
        all.values().removeIf(found -> found.size() < 2);
        return all;
    }

    /** Returns the number of the pair that each point belongs to. The points of a pair differ only in one axis. */
    public static int[] pairs(List<Map<String, String>> points, String axis) {
        Map<Map<String, String>, Integer> numbers = new HashMap<>();
        return points.stream()
                .map(point -> without(point, axis))
                // an engine without a JVM has no options, but belongs to the pair of those that have some
                .map(others -> axis.equals(ENGINE) ? without(others, JVM) : others)
                .mapToInt(others -> numbers.computeIfAbsent(others, pair -> numbers.size()))
                .toArray();
    }

    /** Returns the full name of a setting of the point's transport or engine. */
    private static String setting(Map<String, String> values, String of, String name) {
        return values.get(of) + "." + name;
    }
}
