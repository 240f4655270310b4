package org.lagbench.report.table;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.Traffic;

/**
 * The columns that distinguish the points of an experiment: always the network, with what it ran on, and the packet
 * size; other columns only if points of one transport differ in them. An engine that does not vary is part of the
 * network.
 */
public final class Axes {
    private Axes() {}

    /** Returns the columns of points. */
    public static TableColumns<MeasuredPoint> of(List<MeasuredPoint> points) {
        return of(points, "");
    }

    /**
     * Returns the columns of points.
     *
     * @param leftOut an axis that has no column; "" for none
     */
    public static TableColumns<MeasuredPoint> of(List<MeasuredPoint> points, String leftOut) {
        boolean engineVaries = isVaried(points, MeasuredPoint::engine) || leftOut.equals(Axis.ENGINE);
        TableColumns<MeasuredPoint> columns = new TableColumns<>();
        if (!leftOut.equals(Axis.TRANSPORT)) {
            columns.text("Network", engineVaries ? MeasuredPoint::network : MeasuredPoint::label);
        }
        if (!leftOut.equals(Axis.PACKET_BYTES)) {
            columns.addAll(column(Axis.PACKET_BYTES), point -> point);
        }
        if (points.stream().anyMatch(point -> !point.streamName().isEmpty())) {
            columns.text("Stream", MeasuredPoint::streamName);
            if (points.stream()
                    .anyMatch(point -> point.stream() != null && point.stream().isAlone())) {
                columns.text("Beside", MeasuredPoint::besideText);
            }
        }
        if (points.stream().anyMatch(MeasuredPoint::hasDirection) || isVaried(points, MeasuredPoint::directionText)) {
            columns.text("Direction", MeasuredPoint::directionText);
        }
        if (!leftOut.equals(Axis.TRAFFIC)
                && points.stream().anyMatch(point -> !point.traffic().equals(Traffic.ONE_WAY.text()))) {
            columns.text("Traffic", MeasuredPoint::traffic);
        }
        if (!leftOut.equals(Axis.TRANSFER_BYTES)) {
            addIfVaried(columns, points, "Transfer", Axes::transferBytes);
        }
        if (!Set.of(Axis.TRANSFERS, Axis.CONNECTION).contains(leftOut)) {
            addIfVaried(columns, points, "Transfers", MeasuredPoint::transferText);
        }
        Stream.of(Axis.DATA, Axis.CODEC)
                .filter(axis -> !axis.equals(leftOut))
                .filter(axis -> isVaried(points, MeasuredPoint::traffic, point -> value(point, axis)))
                .forEach(axis -> columns.addAll(column(axis), point -> point));
        Stream.of(Axis.PACE, Axis.ENGINE, Axis.JVM)
                .filter(axis -> !axis.equals(leftOut))
                .map(Axes::column)
                .filter(column -> isVaried(points, point -> column.cells(point).get(0)))
                .forEach(column -> columns.addAll(column, point -> point));
        points.stream()
                .flatMap(point -> point.settings().keySet().stream())
                .distinct()
                .forEach(name -> addIfVaried(columns, points, title(name), point -> setting(point, name)));
        Axis.CONDITIONS.stream()
                .map(Axis::name)
                .filter(axis -> !axis.equals(leftOut))
                .filter(axis -> isVaried(points, MeasuredPoint::streamName, point -> condition(point, axis)))
                .forEach(axis -> columns.addAll(column(axis), point -> point));
        return columns;
    }

    public static TableColumns<MeasuredPoint> column(String axis) {
        TableColumns<MeasuredPoint> column = new TableColumns<>();
        String setting = axis.substring(axis.indexOf('.') + 1);
        return switch (axis) {
            case Axis.TRANSPORT -> column.text("Network", MeasuredPoint::network);
            case Axis.PACKET_BYTES ->
                column.number("Packet size", "bytes", point -> Numbers.grouped(point.packetBytes()));
            case Axis.TRAFFIC -> column.text("Traffic", MeasuredPoint::traffic);
            case Axis.TRANSFER_BYTES -> column.number("Transfer", "bytes", Axes::transferBytes);
            case Axis.CODEC -> column.text("Codec", point -> value(point, axis));
            case Axis.DATA -> column.text("Data", point -> value(point, axis));
            case Axis.PACE -> column.text("Pace", Axes::pace);
            case Axis.ENGINE -> column.text("Engine", MeasuredPoint::engine);
            case Axis.JVM -> column.text("JVM", MeasuredPoint::jvm);
            case Axis.TRANSFERS, Axis.CONNECTION -> column.text("Transfers", MeasuredPoint::transferText);
            default ->
                Axis.CONDITIONS.stream().anyMatch(condition -> condition.name().equals(axis))
                        ? column.text(title(axis), point -> condition(point, axis))
                        : column.text(title(setting), point -> setting(point, setting));
        };
    }

    private static String transferBytes(MeasuredPoint point) {
        return Numbers.grouped(point.transferBytes());
    }

    private static String pace(MeasuredPoint point) {
        if (!point.hasSchedule()) {
            return point.paceMode();
        }
        String even = point.paceMode() + " " + Numbers.duration((double) point.paceIntervalNs());
        return point.paceBurst() == 1 ? even : even + " × " + point.paceBurst();
    }

    private static String value(MeasuredPoint point, String axis) {
        return Objects.requireNonNullElse(point.value(axis), Numbers.NONE);
    }

    private static String condition(MeasuredPoint point, String axis) {
        return point.conditions().getOrDefault(axis, Numbers.NONE);
    }

    private static String setting(MeasuredPoint point, String name) {
        Object value = point.settings().get(name);
        return value == null ? Numbers.NONE : SettingText.value(name, value.toString());
    }

    /** Returns a setting's name in words, beginning with a capital letter. */
    private static String title(String name) {
        String words = SettingText.name(name);
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static void addIfVaried(
            TableColumns<MeasuredPoint> columns,
            List<MeasuredPoint> points,
            String title,
            Function<MeasuredPoint, String> text) {
        if (isVaried(points, text)) {
            columns.text(title, text);
        }
    }

    private static boolean isVaried(List<MeasuredPoint> points, Function<MeasuredPoint, String> text) {
        return isVaried(points, point -> "", text);
    }

    /** Returns whether a text varies among the points of one transport and one group. */
    private static boolean isVaried(
            List<MeasuredPoint> points, Function<MeasuredPoint, String> group, Function<MeasuredPoint, String> text) {
        return points.stream()
                .collect(Collectors.groupingBy(
                        point -> List.of(point.transport(), group.apply(point)),
                        Collectors.mapping(text, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(values -> values.size() > 1);
    }
}
