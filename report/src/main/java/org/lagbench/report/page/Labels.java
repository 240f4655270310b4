package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.analysis.summary.Point;
import org.lagbench.report.table.Axes;

/** Names of points in running text. */
final class Labels {
    private Labels() {}

    /** What tells a point apart: "TCP/IP, 992 bytes". */
    static String point(Axes axes, Point point) {
        List<String> cells = new ArrayList<>(axes.cells(point));
        cells.set(1, bytes(point.packetBytes()));
        return String.join(", ", cells);
    }

    static String bytes(int count) {
        return count == 1 ? "1 byte" : count + " bytes";
    }
}
