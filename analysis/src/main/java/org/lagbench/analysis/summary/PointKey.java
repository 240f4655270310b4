package org.lagbench.analysis.summary;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/**
 * A point of the experiment: what repeats have in common. Ordered as in tables: TCP, UDP, IEEE-1394, then others by
 * title; large packets first; then by pace, program and settings.
 *
 * @param transport the transport's name
 * @param transportTitle its name in tables
 * @param packetBytes size of each packet in bytes
 * @param paceMode how the sender waited
 * @param paceIntervalNs time between packets, or between bursts, in ns, 0 in a flood
 * @param paceBurst how many packets were due at the same instant
 * @param engine the name of what sent and received
 * @param jvm the options of its JVMs
 * @param stream which stream of several it is, and what was sent beside it; null if the experiment has no streams
 * @param settings the transport's settings by name
 */
public record PointKey(
        String transport,
        String transportTitle,
        int packetBytes,
        String paceMode,
        long paceIntervalNs,
        int paceBurst,
        String engine,
        String jvm,
        @Nullable StreamRole stream,
        Map<String, Object> settings)
        implements Comparable<PointKey> {

    private static final Transports TRANSPORTS = Transports.load();
    private static final Engines ENGINES = Engines.load();

    private static final Comparator<PointKey> ORDER = Comparator.comparingInt(PointKey::transportPlace)
            .thenComparing(PointKey::transportTitle)
            .thenComparing(PointKey::transport)
            .thenComparing(PointKey::packetBytes, Comparator.reverseOrder())
            .thenComparing(PointKey::paceIntervalNs)
            .thenComparing(PointKey::paceBurst)
            .thenComparing(PointKey::paceMode)
            .thenComparing(PointKey::enginePlace)
            .thenComparing(PointKey::engine)
            .thenComparing(point -> !point.jvm.equals(JvmOptions.DEFAULT))
            .thenComparing(PointKey::jvm)
            .thenComparing(PointKey::streamName)
            .thenComparing(PointKey::besideText)
            .thenComparing(PointKey::directionText)
            .thenComparing(PointKey::compareSettings);

    private static final Comparator<String> TEXT_ORDER =
            Comparator.comparingLong(PointKey::intervalNs).thenComparing(Comparator.naturalOrder());

    /** The point of a run. */
    static PointKey of(RunRecord run) {
        return new PointKey(
                run.transport(),
                run.transportTitle(),
                run.packetBytes(),
                run.paceMode(),
                run.paceIntervalNs(),
                run.paceBurst(),
                run.engine(),
                run.jvm(),
                run.stream(),
                run.settings());
    }

    /** The stream's name; empty if there are no streams. */
    public String streamName() {
        return stream == null ? "" : stream.name();
    }

    /** What was sent beside the stream: "alone", or the names of others; empty if there are no streams. */
    public String besideText() {
        if (stream == null) {
            return "";
        }
        return stream.isAlone() ? "alone" : String.join(" ", stream.beside());
    }

    /** Which way the stream goes; empty if there are no streams. */
    public String directionText() {
        return stream == null ? "" : stream.direction().text();
    }

    /** Whether packets had a time to leave at. */
    public boolean hasSchedule() {
        return paceIntervalNs > 0;
    }

    @Override
    public int compareTo(PointKey other) {
        return ORDER.compare(this, other);
    }

    private int transportPlace() {
        return TRANSPORTS.find(transport).map(Transport::tableOrder).orElse(Integer.MAX_VALUE);
    }

    private int enginePlace() {
        return ENGINES.find(engine).map(Engine::tableOrder).orElse(Integer.MAX_VALUE);
    }

    private static int compareSettings(PointKey left, PointKey right) {
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

    /** Numbers by size, and before words ("auto"); likewise lengths of time. */
    private static int compareValues(@Nullable Object left, @Nullable Object right) {
        if (left instanceof Number a && right instanceof Number b) {
            return Long.compare(a.longValue(), b.longValue());
        }
        if (left instanceof Number || right instanceof Number) {
            return left instanceof Number ? -1 : 1;
        }
        return TEXT_ORDER.compare(String.valueOf(left), String.valueOf(right));
    }

    private static long intervalNs(String text) {
        try {
            return Intervals.parseNs(text);
        } catch (IllegalArgumentException e) {
            return Long.MAX_VALUE;
        }
    }
}
