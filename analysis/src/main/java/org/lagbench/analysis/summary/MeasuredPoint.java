package org.lagbench.analysis.summary;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.BusFacts;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TransferSpec;

/**
 * A point of the experiment and what it ran on: the key by which runs are pooled and compared. Two runs are of the same
 * point only if nothing that was set differs. Ordered as in tables: TCP, UDP, IEEE-1394, then others by title; then by
 * what it ran on; large packets first; then by pace, engine, settings and all else.
 *
 * @param point what was set; settings that the version that wrote the run did not have are the defaults
 * @param stream which of several streams it is, and what was sent at the same time; null if the experiment has no
 *     streams
 * @param transportTitle the transport's name in tables, without what it ran on
 * @param bus the controllers of an IEEE-1394 bus, or "virtual bus"; null for others, and if it was not recorded
 * @param lab the name of the emulated network; null for the machines' own
 */
@JsonIgnoreProperties("point")
@JsonPropertyOrder({ // the order of methods differs between JVMs
    "transport",
    "transportTitle",
    "bus",
    "lab",
    "packetBytes",
    "traffic",
    "transfer",
    "paceMode",
    "paceIntervalNs",
    "paceBurst",
    "engine",
    "jvm",
    "stream",
    "settings",
    "conditions"
})
public record MeasuredPoint(
        Point point, @Nullable StreamRole stream, String transportTitle, @Nullable String bus, @Nullable String lab)
        implements Comparable<MeasuredPoint> {
    private static final Transports TRANSPORTS = Transports.load();
    private static final Engines ENGINES = Engines.load();

    /** Returns the point of a planned run, without what it will run on. */
    public static MeasuredPoint of(RunSpec run) {
        String transport = run.point().transport();
        return of(run, TRANSPORTS.find(transport).map(Transport::title).orElse(transport), null, null);
    }

    static MeasuredPoint of(RunRecord run) {
        return of(
                run.run(),
                run.transportTitle(),
                bus(run),
                run.lab() == null ? null : run.lab().name());
    }

    private static MeasuredPoint of(RunSpec run, String transportTitle, @Nullable String bus, @Nullable String lab) {
        Point point = run.point().withoutAuto(); // what a run then observed is in its record
        EngineSpec program = point.program();
        Map<String, Object> ofEngine =
                defaults(ENGINES.find(program.engine()).map(Engine::settings).orElse(List.of()));
        Map<String, Object> ofTransport = defaults(
                TRANSPORTS.find(point.transport()).map(Transport::settings).orElse(List.of()));
        ofEngine.putAll(program.settings().asMap());
        ofTransport.putAll(point.settings().asMap());
        EngineSpec complete = new EngineSpec(program.engine(), new Settings(ofEngine), program.jvmOptions());
        return new MeasuredPoint(
                point.with(new Settings(ofTransport), complete, point.observe()),
                run.stream(),
                transportTitle,
                bus,
                lab);
    }

    private static Map<String, Object> defaults(List<Parameter<?>> settings) {
        return new LinkedHashMap<>(Settings.of(settings, Map.of()).asMap());
    }

    /** Returns the names of both sides' controllers: one if they are equal; null if none was recorded. */
    private static @Nullable String bus(RunRecord run) {
        String bus = Stream.of(run.sender(), run.receiver())
                .filter(Objects::nonNull)
                .map(side -> side.metadata(BusFacts.class))
                .filter(Objects::nonNull)
                .map(BusFacts::bus)
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

    /** Returns the transport's name. */
    @JsonProperty
    public String transport() {
        return point.transport();
    }

    /** Returns the size of each packet in bytes. */
    @JsonProperty
    public int packetBytes() {
        return point.packetBytes();
    }

    /** Returns the kind of traffic: "one-way", "round-trip" or "transfer". */
    @JsonProperty
    public String traffic() {
        return point.traffic().kind().text();
    }

    /** Returns the transfers; null for other traffic. */
    @JsonProperty
    public @Nullable TransferSpec transfer() {
        return point.traffic().transfer();
    }

    /** Returns how the sender waited. */
    @JsonProperty
    public String paceMode() {
        return point.pace().mode().text();
    }

    /** Returns the time between packets, or between bursts, in ns, 0 in a flood. */
    @JsonProperty
    public long paceIntervalNs() {
        return point.pace().intervalNs();
    }

    /** Returns the number of packets that were due at the same time. */
    @JsonProperty
    public int paceBurst() {
        return point.pace().burst();
    }

    /** Returns the name of the engine. */
    @JsonProperty
    public String engine() {
        return point.program().engine();
    }

    /** Returns the options of the engine's JVMs. */
    @JsonProperty
    public String jvm() {
        return point.program().jvmOptions().text();
    }

    /** Returns the settings of the transport and the engine by name. */
    @JsonProperty
    public Map<String, Object> settings() {
        return point.allSettings().asMap();
    }

    /** Returns all else that was set, by the keys of an experiment file. */
    @JsonProperty
    public Map<String, String> conditions() {
        return Axis.values(Axis.CONDITIONS, point);
    }

    /** Returns whether each packet is answered. */
    public boolean isRoundTrip() {
        return point.traffic().isAnswered();
    }

    /** Returns the size of a transfer in bytes; 0 for other traffic. */
    public long transferBytes() {
        TransferSpec transfer = transfer();
        return transfer == null ? 0 : transfer.bytes();
    }

    /** Returns the transfers of a run and their connection, such as "10, new"; empty for other traffic. */
    public String transferText() {
        TransferSpec transfer = transfer();
        return transfer == null
                ? ""
                : transfer.count() + ", " + RunParameters.CONNECTION.format(transfer.keepsConnection());
    }

    /** Returns the codec of compressed transfers; an empty text for other traffic. */
    public String codecText() {
        CompressionSpec compression = point.traffic().compression();
        return compression == null ? "" : compression.codec();
    }

    /** Returns the data of compressed transfers; an empty text for other traffic. */
    public String dataText() {
        CompressionSpec compression = point.traffic().compression();
        return compression == null ? "" : compression.data();
    }

    /** Returns the engine's name in titles, such as "C engine". */
    public String engineTitle() {
        return ENGINES.find(engine()).map(Engine::title).orElse(engine() + " engine");
    }

    private boolean isDefaultEngine() {
        return ENGINES.find(engine()).map(found -> found.order() == 0).orElse(false);
    }

    /** Returns whether its packets are sent over a bus with cycles. */
    public boolean isOnBus() {
        return TRANSPORTS
                .find(transport())
                .map(found -> found.wire() == Wire.BUS)
                .orElse(false);
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

    /** Returns whether its packets go backward, or in both directions at once. */
    public boolean hasDirection() {
        return stream != null && stream.isDirection();
    }

    StreamRole.Direction direction() {
        return StreamRole.directionOf(stream);
    }

    /** Returns the values of what was set, by the names of axes. */
    public Map<String, String> axes() {
        return Axis.values(point);
    }

    /** Returns the value of an axis; null if the point does not have it. */
    public @Nullable String value(String axis) {
        return Axis.value(axes(), axis);
    }

    /** Returns the values that were set, without the axis and the values that depend on it. */
    public Map<String, String> without(String axis) {
        return Axis.without(axes(), axis);
    }

    /** Returns the names of the engine's own settings. */
    public Set<String> engineSettings() {
        return ENGINES.find(engine())
                .map(found -> found.settings().stream().map(Parameter::name).collect(Collectors.toSet()))
                .orElse(Set.of());
    }

    /** Returns this point with other JVM options and settings. */
    public MeasuredPoint with(JvmOptions otherJvm, Settings otherSettings) {
        EngineSpec none = new EngineSpec(point.program().engine(), otherJvm);
        return new MeasuredPoint(point.with(otherSettings, none, point.observe()), stream, transportTitle, bus, lab);
    }

    /** Returns this point with another stream, or without a stream. */
    MeasuredPoint with(@Nullable StreamRole other) {
        return new MeasuredPoint(point, other, transportTitle, bus, lab);
    }

    /** Returns whether a JVM sends and receives its packets; true for engines that are unknown here. */
    public boolean runsOnJvm() {
        return ENGINES.find(engine()).map(Engine::runsOnJvm).orElse(true);
    }

    /** Returns whether packets were sent as fast as the network accepted them. */
    public boolean isFlood() {
        return paceMode().equals(Pace.Mode.FLOOD.text());
    }

    /** Returns whether packets had a scheduled time. */
    public boolean hasSchedule() {
        return paceIntervalNs() > 0;
    }

    @Override
    public int compareTo(MeasuredPoint other) {
        return PointOrder.OF_TABLES.compare(this, other);
    }

    /** Returns the place of the transport in tables; unknown ones are last. */
    int transportPlace() {
        return TRANSPORTS.find(transport()).map(Transport::tableOrder).orElse(Integer.MAX_VALUE);
    }

    /** Returns the place of the engine in tables; unknown ones are last. */
    int enginePlace() {
        return ENGINES.find(engine()).map(Engine::order).orElse(Integer.MAX_VALUE);
    }
}
