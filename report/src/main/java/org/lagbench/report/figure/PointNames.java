package org.lagbench.report.figure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lagbench.analysis.summary.Point;
import org.lagbench.report.table.Axes;
import org.lagbench.report.table.Column;

/** What the points of an experiment are called in figures: by what tells them apart. */
final class PointNames {
    private static final int NETWORK = 0;
    private static final int PACKET_SIZE = 1;

    private final Axes axes;
    private final Map<Point, String> fileNames = new HashMap<>();

    PointNames(List<Point> points) {
        axes = new Axes(points);
        Map<String, Integer> uses = new HashMap<>();
        for (Point point : points) {
            List<String> parts = new ArrayList<>(axes.cells(point));
            parts.set(NETWORK, point.transport());
            String name = String.join("-", parts)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^a-z0-9.]+", "-")
                    .replaceAll("-$", "");
            int use = uses.merge(name, 1, Integer::sum);
            fileNames.put(point, use == 1 ? name : name + "-" + use);
        }
    }

    /** "TCP/IP, 992 bytes", and what else tells it apart. */
    String full(Point point) {
        return point.transportTitle() + ", " + withoutNetwork(point);
    }

    /** "992 bytes", and what else tells it apart. */
    String withoutNetwork(Point point) {
        List<Column> columns = axes.columns();
        List<String> cells = axes.cells(point);
        StringBuilder text = new StringBuilder();
        for (int i = PACKET_SIZE; i < cells.size(); i++) {
            if (i == PACKET_SIZE) {
                text.append(cells.get(i)).append(cells.get(i).equals("1") ? " byte" : " bytes");
            } else {
                text.append(", ")
                        .append(columns.get(i).header().toLowerCase(Locale.ROOT))
                        .append(' ')
                        .append(cells.get(i));
            }
        }
        return text.toString();
    }

    /** "992", and what else tells it apart, in as few words as can be. */
    String brief(Point point) {
        List<String> cells = axes.cells(point);
        return String.join(", ", cells.subList(PACKET_SIZE, cells.size()));
    }

    /** A part of a file's name: "tcp-992"; that of no other point. */
    String fileName(Point point) {
        return fileNames.getOrDefault(point, "");
    }
}
