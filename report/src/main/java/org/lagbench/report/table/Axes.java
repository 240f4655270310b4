package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.PointKey;

/**
 * The columns that tell the points of an experiment apart: network and packet size always, pace, program and settings
 * only where points of one transport differ in them.
 */
public final class Axes {
    /** The axes between packet size and settings, by their title; only those that vary. */
    private final Map<String, Function<PointKey, String>> between = new LinkedHashMap<>();

    private final List<String> settings = new ArrayList<>();

    /** Of all points of a session. */
    public Axes(List<PointKey> points) {
        if (points.stream().anyMatch(point -> point.stream() != null)) {
            between.put("Stream", PointKey::streamName);
            between.put("Beside", PointKey::besideText);
        }
        Map<String, Function<PointKey, String>> candidates = new LinkedHashMap<>();
        candidates.put("Direction", PointKey::directionText);
        candidates.put("Pace", Axes::paceText);
        candidates.put("Engine", PointKey::engine);
        candidates.put("JVM", PointKey::jvm);
        candidates.forEach((title, text) -> {
            if (varies(points, text)) {
                between.put(title, text);
            }
        });
        points.stream()
                .flatMap(point -> point.settings().keySet().stream())
                .distinct()
                .filter(name -> varies(points, point -> settingText(point, name)))
                .forEach(settings::add);
    }

    /** The columns, with the network and the packet size in front. */
    public List<Column> columns() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("Network"));
        columns.add(Column.number("Packet size", "bytes"));
        between.keySet().forEach(title -> columns.add(Column.text(title)));
        settings.forEach(name -> columns.add(Column.text(name)));
        return columns;
    }

    /** What tells a point apart: its network, its packet size, and what else differs. */
    public List<String> cells(PointKey point) {
        List<String> cells = new ArrayList<>();
        cells.add(point.transportTitle());
        cells.add(Integer.toString(point.packetBytes()));
        between.values().forEach(text -> cells.add(text.apply(point)));
        settings.forEach(name -> cells.add(settingText(point, name)));
        return cells;
    }

    private static String paceText(PointKey point) {
        if (!point.hasSchedule()) {
            return point.paceMode();
        }
        String even = point.paceMode() + " " + Numbers.usText((double) point.paceIntervalNs()) + " µs";
        return point.paceBurst() == 1 ? even : even + " × " + point.paceBurst();
    }

    private static String settingText(PointKey point, String name) {
        Object value = point.settings().get(name);
        return value == null ? Numbers.NONE : value.toString();
    }

    private static boolean varies(List<PointKey> points, Function<PointKey, String> text) {
        return points.stream()
                .collect(Collectors.groupingBy(PointKey::transport, Collectors.mapping(text, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(values -> values.size() > 1);
    }
}
