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
 * What the repeats of a point of the experiment have in common. Ordered as in tables: TCP, UDP, IEEE-1394, then others
 * by title; large packets first; then by pace, engine and settings.
 *
 * @param transport the transport's name
 * @param transportTitle its name in tables
 * @param packetBytes size of each packet in bytes
 * @param paceMode how the sender waited
 * @param paceIntervalNs time between packets, or between bursts, in ns, 0 in a flood
 * @param paceBurst number of packets that were due at the same time
 * @param engine the name of the engine
 * @param jvm the options of its JVMs
 * @param stream which of several streams it is, and what was sent beside it; null if the experiment has no streams
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

    private static final Comparator<String> VALUE_ORDER =
            Comparator.comparingLong(PointKey::size).thenComparing(Comparator.naturalOrder());

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

    /** Returns the stream's name; empty if there are no streams. */
    public String streamName() {
        return stream == null ? "" : stream.name();
    }

    /** Returns the names of the streams beside this one, or "alone"; empty if there are no streams. */
    public String besideText() {
        if (stream == null) {
            return "";
        }
        return stream.isAlone() ? "alone" : String.join(" ", stream.beside());
    }

    /** Returns the stream's direction; empty if there are no streams. */
    public String directionText() {
        return stream == null ? "" : stream.direction().text();
    }

    /** Returns whether packets had a scheduled time. */
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
        return names.stream()
                .mapToInt(name -> VALUE_ORDER.compare(
                        String.valueOf(left.settings.get(name)), String.valueOf(right.settings.get(name))))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(0);
    }

    /** Returns the size of a number or duration; words ("auto") are last. */
    private static long size(String value) {
        try {
            return value.matches("-?\\d+") ? Long.parseLong(value) : Intervals.parseNs(value);
        } catch (IllegalArgumentException e) {
            return Long.MAX_VALUE;
        }
    }
}
