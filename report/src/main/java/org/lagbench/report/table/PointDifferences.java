package org.lagbench.report.table;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.MeasuredPoint;

/** Names points that were not compared, by what distinguishes them from the points of the other side. */
final class PointDifferences {
    private static final int SHOWN = 3;

    private PointDifferences() {}

    /**
     * Returns points as the end of a sentence, each with what it differs in from the nearest point of the other side:
     * "UDP/IP, 24 (in-flight 1, in the baseline unlimited)".
     */
    static String names(List<MeasuredPoint> points, List<MeasuredPoint> others, String side) {
        TableColumns<MeasuredPoint> axes = Axes.of(points);
        return points.stream()
                        .map(point -> String.join(", ", axes.cells(point)) + differences(point, others, side))
                        .collect(Collectors.joining("; "))
                + ".";
    }

    private static String differences(MeasuredPoint point, List<MeasuredPoint> others, String side) {
        Map<String, String> values = values(point);
        return others.stream()
                .map(other -> differences(values, values(other), side))
                .min(Comparator.comparingInt(List::size))
                .map(differences -> " (" + differences.stream().limit(SHOWN).collect(Collectors.joining("; "))
                        + (differences.size() > SHOWN ? "; and " + (differences.size() - SHOWN) + " more" : "")
                        + ")")
                .orElse("");
    }

    /** Returns the names with other values: "pace flood, in the baseline 1ms". */
    private static List<String> differences(Map<String, String> values, Map<String, String> others, String side) {
        Set<String> names = new LinkedHashSet<>(values.keySet());
        names.addAll(others.keySet());
        return names.stream()
                .filter(name -> !Objects.equals(values.get(name), others.get(name)))
                .map(name -> name + " " + values.getOrDefault(name, "none") + ", in " + side + " "
                        + others.getOrDefault(name, "none"))
                .toList();
    }

    /** Returns all that distinguishes a point, by names. */
    private static Map<String, String> values(MeasuredPoint point) {
        Map<String, String> values = point.axes();
        values.put("network", point.network());
        values.put("stream", point.streamName() + point.directionText());
        values.put("concurrent streams", point.besideText());
        return values;
    }
}
