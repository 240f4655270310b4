package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.lagbench.analysis.summary.PointKey;

/** Names of the points of an experiment in running text: by what tells them apart. */
public final class PointNames {
    private static final int NETWORK = 0;
    private static final int PACKET_SIZE = 1;

    private final Axes axes;
    private final Map<PointKey, String> fileNames = new HashMap<>();

    /** Of all points of a session. */
    public PointNames(List<PointKey> points) {
        axes = new Axes(points);
        Map<String, Integer> uses = new HashMap<>();
        for (PointKey point : points) {
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
    public String full(PointKey point) {
        return point.transportTitle() + ", " + withoutNetwork(point);
    }

    /** "992 bytes", and what else tells it apart. */
    public String withoutNetwork(PointKey point) {
        List<Column> columns = axes.columns();
        List<String> cells = axes.cells(point);
        StringBuilder text = new StringBuilder();
        for (int i = PACKET_SIZE; i < cells.size(); i++) {
            if (i == PACKET_SIZE) {
                text.append(bytes(point.packetBytes()));
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
    public String brief(PointKey point) {
        List<String> cells = axes.cells(point);
        return String.join(", ", cells.subList(PACKET_SIZE, cells.size()));
    }

    /** A part of a file's name: "tcp-992"; that of no other point. */
    public String fileName(PointKey point) {
        return fileNames.getOrDefault(point, "");
    }

    /** "1 byte", "992 bytes". */
    public static String bytes(int count) {
        return count == 1 ? "1 byte" : count + " bytes";
    }
}
