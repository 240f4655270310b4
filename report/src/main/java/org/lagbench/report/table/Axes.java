package org.lagbench.report.table;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.yaml.PointAxes;

/**
 * The columns that distinguish the points of an experiment: always the network, with what it ran on, and the packet
 * size; other columns only if points of one transport differ in them. An engine that does not vary is part of the
 * network.
 */
public final class Axes {
    private Axes() {}

    static TableColumns<PointKey> of(List<PointKey> points) {
        return of(points, "");
    }

    /**
     * Returns the columns of points.
     *
     * @param leftOut an axis that has no column; "" for none
     */
    public static TableColumns<PointKey> of(List<PointKey> points, String leftOut) {
        boolean engineVaries = isVaried(points, PointKey::engine) || leftOut.equals(PointAxes.ENGINE);
        TableColumns<PointKey> columns = new TableColumns<>();
        if (!leftOut.equals(PointAxes.TRANSPORT)) {
            columns.text("Network", engineVaries ? PointKey::network : PointKey::label);
        }
        if (!leftOut.equals(PointAxes.PACKET_BYTES)) {
            columns.addAll(column(PointAxes.PACKET_BYTES), point -> point);
        }
        if (points.stream().anyMatch(point -> !point.streamName().isEmpty())) {
            columns.text("Stream", PointKey::streamName);
            if (points.stream()
                    .anyMatch(point -> point.stream() != null && point.stream().isAlone())) {
                columns.text("Beside", PointKey::besideText);
            }
        }
        if (points.stream().anyMatch(PointKey::hasDirection) || isVaried(points, PointKey::directionText)) {
            columns.text("Direction", PointKey::directionText);
        }
        if (!leftOut.equals(PointAxes.TRAFFIC)
                && points.stream().anyMatch(point -> !point.traffic().equals(Traffic.ONE_WAY.text()))) {
            columns.text("Traffic", PointKey::traffic);
        }
        if (!leftOut.equals(PointAxes.TRANSFER_BYTES)) {
            addIfVaried(columns, points, "Transfer", Axes::transferBytes);
        }
        addIfVaried(columns, points, "Transfers", PointKey::transferText);
        Stream.of(PointAxes.DATA, PointAxes.CODEC, PointAxes.PACE, PointAxes.ENGINE, PointAxes.JVM)
                .filter(axis -> !axis.equals(leftOut))
                .map(Axes::column)
                .filter(column -> isVaried(points, point -> column.cells(point).get(0)))
                .forEach(column -> columns.addAll(column, point -> point));
        points.stream()
                .flatMap(point -> point.settings().keySet().stream())
                .distinct()
                .forEach(name -> addIfVaried(columns, points, title(name), point -> setting(point, name)));
        return columns;
    }

    public static TableColumns<PointKey> column(String axis) {
        TableColumns<PointKey> column = new TableColumns<>();
        String setting = axis.substring(axis.indexOf('.') + 1);
        return switch (axis) {
            case PointAxes.TRANSPORT -> column.text("Network", PointKey::network);
            case PointAxes.PACKET_BYTES ->
                column.number("Packet size", "bytes", point -> Numbers.grouped(point.packetBytes()));
            case PointAxes.TRAFFIC -> column.text("Traffic", PointKey::traffic);
            case PointAxes.TRANSFER_BYTES -> column.number("Transfer", "bytes", Axes::transferBytes);
            case PointAxes.CODEC -> column.text("Codec", PointKey::codecText);
            case PointAxes.DATA -> column.text("Data", PointKey::dataText);
            case PointAxes.PACE -> column.text("Pace", Axes::pace);
            case PointAxes.ENGINE -> column.text("Engine", PointKey::engine);
            case PointAxes.JVM -> column.text("JVM", PointKey::jvm);
            default -> column.text(title(setting), point -> setting(point, setting));
        };
    }

    private static String transferBytes(PointKey point) {
        return Numbers.grouped(point.transferBytes());
    }

    private static String pace(PointKey point) {
        if (!point.hasSchedule()) {
            return point.paceMode();
        }
        String even = point.paceMode() + " " + Numbers.usText((double) point.paceIntervalNs()) + " µs";
        return point.paceBurst() == 1 ? even : even + " × " + point.paceBurst();
    }

    private static String setting(PointKey point, String name) {
        Object value = point.settings().get(name);
        return value == null ? Numbers.NONE : SettingText.value(name, value.toString());
    }

    /** Returns a setting's name in words, beginning with a capital letter. */
    private static String title(String name) {
        String words = SettingText.name(name);
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    private static void addIfVaried(
            TableColumns<PointKey> columns, List<PointKey> points, String title, Function<PointKey, String> text) {
        if (isVaried(points, text)) {
            columns.text(title, text);
        }
    }

    private static boolean isVaried(List<PointKey> points, Function<PointKey, String> text) {
        return points.stream()
                .collect(Collectors.groupingBy(PointKey::transport, Collectors.mapping(text, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(values -> values.size() > 1);
    }
}
