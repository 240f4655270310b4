package org.lagbench.analysis.summary;

import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.yaml.PointAxes;

/**
 * What the repeats of a point of the experiment have in common. Ordered as in tables: TCP, UDP, IEEE-1394, then others
 * by title; then by what it ran on; large packets first; then by pace, engine and settings.
 *
 * @param transport the transport's name
 * @param transportTitle its name in tables, without what it ran on
 * @param bus the controllers of an IEEE-1394 bus, or "virtual bus"; null for others, and if it was not recorded
 * @param lab the name of the emulated network; null for the machines' own
 * @param packetBytes size of each packet in bytes
 * @param traffic what the runs do, {@link Traffic#text()}
 * @param transfer the transfers; null for other traffic
 * @param paceMode how the sender waited
 * @param paceIntervalNs time between packets, or between bursts, in ns, 0 in a flood
 * @param paceBurst number of packets that were due at the same time
 * @param engine the name of the engine
 * @param jvm the options of its JVMs
 * @param stream which of several streams it is, and what was sent at the same time; null if the experiment has no
 *     streams
 * @param settings the transport's settings by name
 */
public record PointKey(
        String transport,
        String transportTitle,
        @Nullable String bus,
        @Nullable String lab,
        int packetBytes,
        String traffic,
        @Nullable TransferSpec transfer,
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
            .thenComparing(PointKey::network)
            .thenComparing(PointKey::packetBytes, Comparator.reverseOrder())
            .thenComparing(PointKey::trafficKind)
            .thenComparing(PointKey::transferBytes)
            .thenComparing(PointKey::transferText)
            .thenComparing(PointKey::dataText)
            .thenComparing(PointKey::codecText)
            .thenComparing(PointKey::paceIntervalNs)
            .thenComparing(PointKey::paceBurst)
            .thenComparing(PointKey::paceMode)
            .thenComparing(PointKey::enginePlace)
            .thenComparing(PointKey::engine)
            .thenComparing(point -> !point.jvm.equals(JvmOptions.DEFAULT))
            .thenComparing(PointKey::jvm)
            .thenComparing(PointKey::direction)
            .thenComparing(PointKey::streamName)
            .thenComparing(PointKey::besideText)
            .thenComparing(PointKey::compareSettings);

    private static final Comparator<String> VALUE_ORDER =
            Comparator.comparingLong(PointKey::size).thenComparing(Comparator.naturalOrder());

    /**
     * Returns the point of a planned run, without what it will run on.
     *
     * @param transportTitle the transport's name in tables
     */
    public static PointKey of(RunSpec run, String transportTitle) {
        return of(run, transportTitle, null, null);
    }

    static PointKey of(RunRecord run) {
        return of(
                run.run(),
                run.transportTitle(),
                bus(run),
                run.lab() == null ? null : run.lab().name());
    }

    private static PointKey of(RunSpec run, String transportTitle, @Nullable String bus, @Nullable String lab) {
        Point point = run.point();
        return new PointKey(
                point.transport(),
                transportTitle,
                bus,
                lab,
                point.packetBytes(),
                point.traffic().kind().text(),
                point.traffic().transfer(),
                point.pace().mode().text(),
                point.pace().intervalNs(),
                point.pace().burst(),
                point.program().engine(),
                point.program().jvmOptions().text(),
                run.stream(),
                point.allSettings().asMap());
    }

    /** Returns the names of both sides' controllers: one if they are equal; null if none was recorded. */
    private static @Nullable String bus(RunRecord run) {
        String bus = Stream.of(run.sender(), run.receiver())
                .filter(Objects::nonNull)
                .map(side -> side.metadata().get("bus"))
                .filter(Objects::nonNull)
                .map(Object::toString)
                .distinct()
                .collect(Collectors.joining(" to "));
        return bus.isEmpty() ? null : bus;
    }

    /**
     * Returns the network with what it ran on: "UDP/IP", "IEEE-1394 (virtual bus)", "TCP/IP (emulated link
     * ethernet-100)".
     */
    public String network() {
        String on = bus != null ? bus : isOnBus() ? "bus not recorded" : "";
        String link = lab == null ? "" : "emulated link " + lab;
        String both = Stream.of(on, link).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
        return both.isEmpty() ? transportTitle : transportTitle + " (" + both + ")";
    }

    /** Returns the network and, if it is not the default, the engine: "TCP/IP, C engine". */
    public String label() {
        return isDefaultEngine() ? network() : network() + ", " + engineTitle();
    }

    /** Returns whether each packet is answered. */
    public boolean isRoundTrip() {
        return traffic.equals(Traffic.ROUND_TRIP.text());
    }

    /** Returns the size of a transfer in bytes; 0 for other traffic. */
    public long transferBytes() {
        return transfer == null ? 0 : transfer.bytes();
    }

    /** Returns the transfers of a run and their connection, such as "10, new"; empty for other traffic. */
    public String transferText() {
        return transfer == null
                ? ""
                : transfer.count() + ", " + RunParameters.CONNECTION.format(transfer.keepsConnection());
    }

    /** Returns the codec of compressed transfers; an empty text for other traffic. */
    public String codecText() {
        CompressionSpec compression = transfer == null ? null : transfer.compression();
        return compression == null ? "" : compression.codec();
    }

    /** Returns the data of compressed transfers; an empty text for other traffic. */
    public String dataText() {
        CompressionSpec compression = transfer == null ? null : transfer.compression();
        return compression == null ? "" : compression.data();
    }

    private Traffic trafficKind() {
        return TextEnum.parse(Traffic.class, "traffic", traffic);
    }

    /** Returns the engine's name in titles, such as "C engine". */
    public String engineTitle() {
        return ENGINES.find(engine).map(Engine::title).orElse(engine + " engine");
    }

    private boolean isDefaultEngine() {
        return ENGINES.find(engine).map(found -> found.tableOrder() == 0).orElse(false);
    }

    /** Returns whether its packets are sent over a bus with cycles. */
    public boolean isOnBus() {
        return TRANSPORTS.find(transport).map(Transport::recordsBusCycle).orElse(false);
    }

    /** Returns the stream's name; empty if there are no streams. */
    public String streamName() {
        return stream == null || hasDirection() ? "" : stream.name();
    }

    /** Returns the names of the streams sent concurrently with this one, or "alone"; empty if there are no streams. */
    public String besideText() {
        if (stream == null || hasDirection()) {
            return "";
        }
        return stream.isAlone() ? "alone" : String.join(" ", stream.beside());
    }

    /** Returns the stream's direction, such as "backward (both at once)"; empty if there are no streams. */
    public String directionText() {
        if (stream == null) {
            return "";
        }
        return stream.direction().text() + (hasDirection() && !stream.isAlone() ? " (both at once)" : "");
    }

    /** Returns whether a direction was chosen for it: the opposite one, or both. */
    public boolean hasDirection() {
        return stream != null && stream.isDirection();
    }

    private StreamRole.Direction direction() {
        return StreamRole.directionOf(stream);
    }

    /** Returns what may vary between the points of an experiment. */
    public PointAxes axes() {
        return PointAxes.of(
                transport,
                packetBytes,
                traffic,
                transfer,
                paceMode,
                paceIntervalNs,
                paceBurst,
                engine,
                jvm,
                settings,
                engineSettings());
    }

    /** Returns the names of the engine's own settings. */
    public Set<String> engineSettings() {
        return ENGINES.find(engine)
                .map(found -> found.settings().stream().map(Parameter::name).collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    /** Returns this point with other JVM options and settings. */
    public PointKey with(String otherJvm, Map<String, Object> otherSettings) {
        return with(otherJvm, stream, otherSettings);
    }

    /** Returns this point as another stream, or as none. */
    PointKey with(@Nullable StreamRole other) {
        return with(jvm, other, settings);
    }

    private PointKey with(String otherJvm, @Nullable StreamRole otherStream, Map<String, Object> otherSettings) {
        return new PointKey(
                transport,
                transportTitle,
                bus,
                lab,
                packetBytes,
                traffic,
                transfer,
                paceMode,
                paceIntervalNs,
                paceBurst,
                engine,
                otherJvm,
                otherStream,
                otherSettings);
    }

    /** Returns whether a JVM sends and receives its packets; true for engines that are unknown here. */
    public boolean runsOnJvm() {
        return ENGINES.find(engine).map(Engine::runsOnJvm).orElse(true);
    }

    /** Returns whether packets were sent as fast as the network accepted them. */
    public boolean isFlood() {
        return paceMode.equals(Pace.Mode.FLOOD.text());
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

    /** Returns the size by which values are sorted: that of a number or duration; words ("auto") are last. */
    private static long size(String value) {
        try {
            return value.matches("-?\\d+") ? Long.parseLong(value) : Intervals.parseNs(value);
        } catch (IllegalArgumentException e) {
            return Long.MAX_VALUE;
        }
    }
}
