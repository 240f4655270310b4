package org.lagbench.analysis.summary;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.RunRecord;

/**
 * A point of the experiment: what repeats have in common. Ordered as in tables: TCP, UDP, IEEE-1394, then others by
 * title; large packets first; then by pace, program and settings.
 *
 * @param transport the transport's name
 * @param transportTitle its name in tables
 * @param packetBytes size of each packet in bytes
 * @param paceMode how the sender waited
 * @param paceIntervalNs time between packets in ns, 0 in a flood
 * @param implementation what sent and received was written in
 * @param jvm the options of its JVMs
 * @param settings the transport's settings by name
 */
public record Point(
        String transport,
        String transportTitle,
        int packetBytes,
        String paceMode,
        long paceIntervalNs,
        String implementation,
        String jvm,
        Map<String, Object> settings)
        implements Comparable<Point> {

    private static final List<String> FIRST_TRANSPORTS = List.of("tcp", "udp", "ieee1394");

    private static final Comparator<Point> ORDER = Comparator.comparingInt((Point point) -> place(point.transport))
            .thenComparing(Point::transportTitle)
            .thenComparing(Point::transport)
            .thenComparing(Point::packetBytes, Comparator.reverseOrder())
            .thenComparing(Point::paceIntervalNs)
            .thenComparing(Point::paceMode)
            .thenComparing(Point::implementation, Comparator.reverseOrder())
            .thenComparing(point -> !point.jvm.equals(JvmOptions.DEFAULT))
            .thenComparing(Point::jvm)
            .thenComparing(Point::compareSettings);

    /** The point of a run. */
    static Point of(RunRecord run) {
        return new Point(
                run.transport(),
                run.transportTitle(),
                run.packetBytes(),
                run.paceMode(),
                run.paceIntervalNs(),
                run.implementation(),
                run.jvm(),
                run.settings());
    }

    /** Whether packets had a time to leave at. */
    public boolean hasSchedule() {
        return paceIntervalNs > 0;
    }

    @Override
    public int compareTo(Point other) {
        return ORDER.compare(this, other);
    }

    private static int place(String transport) {
        int place = FIRST_TRANSPORTS.indexOf(transport);
        return place < 0 ? FIRST_TRANSPORTS.size() : place;
    }

    private static int compareSettings(Point left, Point right) {
        TreeSet<String> names = new TreeSet<>(left.settings.keySet());
        names.addAll(right.settings.keySet());
        for (String name : names) {
            int order = compareValues(left.settings.get(name), right.settings.get(name));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Numbers by size, and before words ("auto"). */
    private static int compareValues(@Nullable Object left, @Nullable Object right) {
        if (left instanceof Number a && right instanceof Number b) {
            return Long.compare(a.longValue(), b.longValue());
        }
        if (left instanceof Number || right instanceof Number) {
            return left instanceof Number ? -1 : 1;
        }
        return String.valueOf(left).compareTo(String.valueOf(right));
    }
}
