package org.lagbench.report.table;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.PointKey;

/**
 * The columns that distinguish the points of an experiment: always the network and the packet size; the others only if
 * points of one transport differ in them.
 */
final class Axes {
    private Axes() {}

    static TableColumns<PointKey> of(List<PointKey> points) {
        TableColumns<PointKey> columns = new TableColumns<PointKey>()
                .text("Network", PointKey::transportTitle)
                .number("Packet size", "bytes", point -> Integer.toString(point.packetBytes()));
        if (points.stream().anyMatch(point -> point.stream() != null)) {
            columns.text("Stream", PointKey::streamName).text("Beside", PointKey::besideText);
        }
        addIfVaried(columns, points, "Direction", PointKey::directionText);
        addIfVaried(columns, points, "Pace", Axes::pace);
        addIfVaried(columns, points, "Engine", PointKey::engine);
        addIfVaried(columns, points, "JVM", PointKey::jvm);
        points.stream()
                .flatMap(point -> point.settings().keySet().stream())
                .distinct()
                .forEach(name -> addIfVaried(columns, points, name, point -> setting(point, name)));
        return columns;
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
        return value == null ? Numbers.NONE : value.toString();
    }

    private static void addIfVaried(
            TableColumns<PointKey> columns, List<PointKey> points, String title, Function<PointKey, String> text) {
        boolean isVaried = points.stream()
                .collect(Collectors.groupingBy(PointKey::transport, Collectors.mapping(text, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(values -> values.size() > 1);
        if (isVaried) {
            columns.text(title, text);
        }
    }
}
