package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.Point;

/**
 * The columns that tell the points of an experiment apart: network and packet size always, pace, program and settings
 * only where points of one transport differ in them.
 */
public final class Axes {
    /** The axes between packet size and settings, by their title; only those that vary. */
    private final Map<String, Function<Point, String>> between = new LinkedHashMap<>();

    private final List<String> settings = new ArrayList<>();

    /** Of all points of a session. */
    public Axes(List<Point> points) {
        if (points.stream().anyMatch(point -> point.stream() != null)) {
            between.put("Stream", Point::streamName);
            between.put("Beside", Point::besideText);
        }
        Map<String, Function<Point, String>> candidates = new LinkedHashMap<>();
        candidates.put("Direction", Point::directionText);
        candidates.put("Pace", Axes::paceText);
        candidates.put("Engine", Point::engine);
        candidates.put("JVM", Point::jvm);
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
    public List<String> cells(Point point) {
        List<String> cells = new ArrayList<>();
        cells.add(point.transportTitle());
        cells.add(Integer.toString(point.packetBytes()));
        between.values().forEach(text -> cells.add(text.apply(point)));
        settings.forEach(name -> cells.add(settingText(point, name)));
        return cells;
    }

    private static String paceText(Point point) {
        if (!point.hasSchedule()) {
            return point.paceMode();
        }
        String even = point.paceMode() + " " + Numbers.usText((double) point.paceIntervalNs()) + " µs";
        return point.paceBurst() == 1 ? even : even + " × " + point.paceBurst();
    }

    private static String settingText(Point point, String name) {
        Object value = point.settings().get(name);
        return value == null ? Numbers.NONE : value.toString();
    }

    private static boolean varies(List<Point> points, Function<Point, String> text) {
        return points.stream()
                .collect(Collectors.groupingBy(Point::transport, Collectors.mapping(text, Collectors.toSet())))
                .values()
                .stream()
                .anyMatch(values -> values.size() > 1);
    }
}
