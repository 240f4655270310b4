package org.lagbench.core.yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.StreamRole.Direction;
import org.lagbench.core.yaml.MappingReader.Placed;
import org.lagbench.core.yaml.TransportReader.TransportSection;
import org.lagbench.core.yaml.YamlNode.Mapping;
import org.lagbench.core.yaml.YamlNode.Sequence;

/** Reads and writes {@code streams}: a list of mappings, one for each stream. */
final class StreamReader {
    private static final Parameter<String> NAME = Parameter.text(
            "name",
            Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,29}"),
            "up to 30 letters, digits, hyphens and underscores, the first a letter or digit");
    private static final Parameter<Integer> PACKET_BYTES = Parameter.integer(
                    "packet-bytes", RunParameters.MINIMUM_PACKET_BYTES, Integer.MAX_VALUE)
            .accepting(RunParameters.PACKET_BYTES.accepted());
    private static final Parameter<Direction> DIRECTION =
            Parameter.word("direction", Direction.class).byDefault(Direction.FORWARD);
    private static final Parameter<Long> DURATION =
            Parameter.time("duration", 1, Duration.ofHours(24).toNanos());
    private static final Parameter<String> SETTINGS = Parameter.text("settings", "settings of the transport");

    private final Parameter<Transport> transport;
    private final Parameter<Long> packets;
    private final Duration stallTimeout;
    private final Problems problems;

    /**
     * Creates a reader of streams.
     *
     * @param defaultPackets number of packets of a stream without packets and duration
     */
    StreamReader(Transports transports, long defaultPackets, Duration stallTimeout, Problems problems) {
        this.transport = Parameter.of(
                "transport",
                "one of " + String.join(", ", transports.names()),
                name -> transports.find(name).orElseThrow(() -> new IllegalArgumentException(name)),
                Transport::name);
        this.packets = RunParameters.PACKETS.byDefault(defaultPackets);
        this.stallTimeout = stallTimeout;
        this.problems = problems;
    }

    /** Returns the streams, without refused ones; none if the list is empty. */
    List<PacketStream> read(YamlNode node) {
        Parameter<?> key = ExperimentKeys.STREAMS;
        List<Parameter<?>> known =
                List.of(NAME, transport, PACKET_BYTES, ExperimentKeys.PACE, DIRECTION, packets, DURATION, SETTINGS);
        if (!(node instanceof Sequence sequence)) {
            problems.refuse(key.name(), node, key.accepted());
            return List.of();
        }
        List<PacketStream> streams = new ArrayList<>();
        Set<String> different = new HashSet<>();
        List<String> names = ExperimentKeys.names(known);
        Parameter<?> element = Parameter.text(key.name(), "a mapping of " + String.join(", ", names));
        for (YamlNode mapping : sequence.elements()) {
            MappingReader.ofSection(element, mapping, names, problems)
                    .flatMap(this::stream)
                    .ifPresent(stream -> {
                        if (different.add(stream.name())) {
                            streams.add(stream);
                        } else {
                            problems.add(
                                    mapping.place(),
                                    key.name() + ": there are two streams called " + stream.name() + ".");
                        }
                    });
        }
        return streams;
    }

    private Optional<PacketStream> stream(MappingReader keys) {
        Optional<String> name = keys.require(NAME);
        Optional<Transport> over = keys.require(transport);
        Optional<Integer> size = keys.require(PACKET_BYTES);
        Optional<Placed<Pace>> pace = pace(keys);
        Optional<Direction> direction = keys.find(DIRECTION, Direction.FORWARD);
        if (name.isEmpty() || over.isEmpty() || size.isEmpty() || pace.isEmpty() || direction.isEmpty()) {
            return Optional.empty();
        }
        TransportSection section = new TransportReader(problems).read(over.get(), keys.entry(SETTINGS), keys.place());
        for (Map.Entry<String, List<String>> setting : section.axes().values().entrySet()) {
            if (setting.getValue().size() != 1) {
                problems.add(
                        section.place(),
                        keys.path(SETTINGS) + "." + setting.getKey() + ": a stream takes one value, not a list.");
            }
        }
        if (section.axes().combinationCount() != 1) {
            return Optional.empty();
        }
        new CompatibilityCheck(problems)
                .check(
                        List.of(section),
                        List.of(new Placed<>(keys.place(PACKET_BYTES), size.get())),
                        List.of(pace.get()),
                        stallTimeout);
        return packets(keys, pace.get().value())
                .map(packets -> new PacketStream(
                        name.get(),
                        over.get().name(),
                        size.get(),
                        packets,
                        pace.get().value(),
                        direction.get(),
                        section.axes().combinations().get(0)));
    }

    private Optional<Placed<Pace>> pace(MappingReader keys) {
        YamlNode node = keys.node(ExperimentKeys.PACE);
        List<Placed<Pace>> paces =
                new PaceReader(problems).read(keys, node == null ? new Mapping(keys.place(), Map.of()) : node);
        if (paces.size() > 1) {
            keys.add(ExperimentKeys.PACE, "a stream takes one pace, not a list.");
        }
        return paces.stream().findFirst();
    }

    /** Returns the stream's number of packets: as given, as many as its duration takes, or the experiment's number. */
    private Optional<Long> packets(MappingReader keys, Pace pace) {
        if (!keys.has(DURATION)) {
            return Optional.of(keys.get(packets));
        }
        if (keys.has(packets)) {
            keys.addAtKey(DURATION, "set packets or duration, not both.");
            return Optional.empty();
        }
        if (pace.mode() == Pace.Mode.FLOOD) {
            keys.addAtKey(DURATION, "a flood has no duration; set packets instead.");
            return Optional.empty();
        }
        return keys.read(DURATION.map(
                durationNs -> Quantities.within(pace.packetsIn(durationNs), 1, RunParameters.MAXIMUM_PACKETS),
                count -> count));
    }

    /** Returns a stream as a user would write it. */
    static String format(PacketStream stream) {
        List<String> settings = stream.settings().asText().entrySet().stream()
                .map(setting -> setting.getKey() + ": " + YamlWriter.scalar(setting.getValue()))
                .toList();
        return YamlWriter.mapping(List.of(
                NAME.yaml(stream.name()),
                "transport: " + YamlWriter.scalar(stream.transport()),
                PACKET_BYTES.yaml(stream.packetBytes()),
                RunParameters.PACKETS.yaml(stream.packets()),
                ExperimentKeys.PACE + ": " + PaceReader.format(stream.pace()),
                DIRECTION.yaml(stream.direction()),
                SETTINGS + ": " + YamlWriter.mapping(settings)));
    }
}
