package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;

/** Names of the points of an experiment, made of what distinguishes them. */
public final class PointNames {
    private static final int NETWORK = 0;
    private static final int PACKET_SIZE = 1;

    private final TableColumns<MeasuredPoint> axes;
    private final Map<MeasuredPoint, String> fileNames = new HashMap<>();

    public PointNames(Summary summary) {
        this(summary.points().stream().map(PointSummary::point).toList());
    }

    PointNames(List<MeasuredPoint> points) {
        axes = Axes.of(points);
        Map<String, Integer> uses = new HashMap<>();
        for (MeasuredPoint point : points) {
            List<String> parts = new ArrayList<>(axes.cells(point));
            parts.set(NETWORK, point.transport());
            String name = filePart(String.join("-", parts));
            int use = uses.merge(name, 1, Integer::sum);
            fileNames.put(point, use == 1 ? name : name + "-" + use);
        }
    }

    /** Returns the names of all planned points of a session, also of those without a run. */
    static PointNames ofPlan(Summary summary) {
        return new PointNames(
                Stream.concat(summary.points().stream().map(PointSummary::point), summary.missingPoints().stream())
                        .toList());
    }

    /** Returns a name such as "TCP/IP, 992 bytes" or "IEEE-1394 (virtual bus), 992 bytes". */
    public String full(MeasuredPoint point) {
        return network(point) + ", " + withoutNetwork(point);
    }

    /** Returns the network with what it ran on, as in tables: "TCP/IP", "TCP/IP, C engine". */
    public String network(MeasuredPoint point) {
        return axes.cells(point).get(NETWORK);
    }

    /** Returns a name such as "992 bytes". */
    public String withoutNetwork(MeasuredPoint point) {
        List<String> cells = axes.cells(point);
        StringBuilder text = new StringBuilder(bytes(point.packetBytes()));
        for (int i = PACKET_SIZE + 1; i < cells.size(); i++) {
            if (!cells.get(i).equals(Numbers.NONE)) {
                text.append(", ")
                        .append(axes.columns().get(i).header().toLowerCase(Locale.ROOT))
                        .append(' ')
                        .append(cells.get(i));
            }
        }
        return text.toString();
    }

    /** Returns a short name without the network, such as "992". */
    public String brief(MeasuredPoint point) {
        List<String> cells = axes.cells(point);
        return String.join(", ", cells.subList(PACKET_SIZE, cells.size()));
    }

    /** Returns a unique part of a file's name, such as "tcp-992". */
    public String fileName(MeasuredPoint point) {
        return fileNames.getOrDefault(point, "");
    }

    /** Returns a text as a part of a file's name: small letters, digits, dots and hyphens. */
    public static String filePart(String text) {
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-").replaceAll("-$", "");
    }

    /** Returns a size such as "1 byte" or "992 bytes". */
    public static String bytes(int count) {
        return count == 1 ? "1 byte" : count + " bytes";
    }
}
